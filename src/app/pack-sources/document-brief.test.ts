import { expect, test } from "vitest";
import { documentBrief } from "./document-brief.ts";

const lines = ["# Relay", "", "Released in May.", "", "Retry when the relay", "is busy.", "", "Retry later."];
const section = { start: 1, end: lines.length };

test("a brief quote is the paragraph with most words of the task", () => {
  expect(documentBrief("relay.md", lines, section, ["retry", "busy"])).toEqual({
    text: "Retry when the relay\nis busy.",
    citation: { path: "relay.md", start: 5, end: 6 },
  });
});

test("a section without a word of the task has no brief quote", () => {
  expect(documentBrief("relay.md", lines, section, ["window"])).toBeUndefined();
});

test.each([["# Retry the busy relay"], ["Retry the busy relay", "===================="]])(
  "a heading alone is no quote: %s",
  (...heading) => {
    const text = [...heading, "", "The relay answers later."];
    expect(documentBrief("relay.md", text, { start: 1, end: text.length }, ["retry", "relay"])?.text).toBe(
      "The relay answers later.",
    );
  },
);
