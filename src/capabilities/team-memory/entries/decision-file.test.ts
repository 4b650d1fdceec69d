import fc from "fast-check";
import { expect, test } from "vitest";
import { type DecisionText, parseDecision, printDecision } from "./decision-file.ts";

const plain: DecisionText = {
  title: "Use PostgreSQL",
  date: "2026-01-02",
  status: "accepted",
  author: "ana",
  context: "We need transactions",
  decision: "",
  consequences: "",
};

test("a decision is printed in the format's own form", () => {
  expect(printDecision(7, plain)).toBe(
    "# 0007 - Use PostgreSQL\n\n**Date**: 2026-01-02\n**Status**: accepted\n**Author**: ana\n\n## Context\nWe need transactions\n\n## Decision\n(no decision recorded)\n\n## Consequences\n(no consequences noted)\n\n",
  );
});

test("what is printed is read back, whatever the text looks like", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "## Context",
      "## decision",
      "\\## Consequences",
      "\\\\## Context ",
      "# Title",
      "```",
      "**Status**: x",
      "## Other",
    ),
    fc.string({ unit: "grapheme", maxLength: 20 }),
  );
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n").trim());
  fc.assert(
    fc.property(text, text, text, (context, decision, consequences) => {
      const written = { ...plain, context, decision, consequences };
      expect(parseDecision(printDecision(1, written))).toEqual(written);
    }),
  );
});

test("a decision written by hand is read as well as it can be", () => {
  expect(
    parseDecision(
      "# 0003 - Queue - or not\r\n**Status**: Superseded\n\n## Context\n\nwhy\n\n## Options\n\nmany\n\n## Decision\nyes",
    ),
  ).toEqual({
    title: "Queue - or not",
    date: "",
    status: "superseded",
    author: "",
    context: "why\n\n## Options\n\nmany",
    decision: "yes",
    consequences: "",
  });
  expect(parseDecision("")).toMatchObject({ title: "Untitled", status: "accepted", context: "" });
});
