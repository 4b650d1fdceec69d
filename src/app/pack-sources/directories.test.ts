import { expect, test } from "vitest";
import { isTelling } from "./directories.ts";

test.each([
  ["Delivers mail through the relay.", true],
  ["HTTP handlers: one file per resource of the public interface, without business rules.", true],
  ["TypeScript code.", false],
  ["Library code: parse, Parser and print.", false],
  ["JavaScript code: .mcp, CODE_OF_CONDUCT, FUNDING, SECURITY, mm, play …", false],
  ["Documentation: github_link, setup, project, copyright …", false],
  ["Style sheets: Build, PostCSS", false],
])("a summary says something or only lists names: %s", (summary, expected) => {
  expect(isTelling(summary)).toBe(expected);
});
