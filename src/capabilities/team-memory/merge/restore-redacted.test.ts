import { expect, test } from "vitest";
import { madeUp } from "../../../../tests/support/made-up.ts";
import { redactSecrets } from "../../../core/hygiene/index.ts";
import { restoreRedacted } from "./restore-redacted.ts";

const line = (length = 16) => `password: "${madeUp(length)}"`;
const shown = (text: string) => redactSecrets(text).text;

test("a text without the mark stays as it is", () => {
  expect(restoreRedacted("a\nb", { wholes: [], sides: ["c"] })).toEqual({ text: "a\nb" });
});

test("a line as one side shows it becomes the line of that side", () => {
  const mine = line();
  const sides = [`one\n${mine}\n`, `two\n${mine}\n`];
  expect(restoreRedacted(`three\n${shown(mine)}\n`, { wholes: [], sides })).toEqual({
    text: `three\n${mine}\n`,
  });
});

test("a line that stands for two secrets is refused, but a whole text is one of the sides", () => {
  const [ours, theirs] = [`a\n${line(16)}\n`, `b\n${line(17)}\n`];
  const all = { wholes: [ours, theirs], sides: [ours, theirs] };
  expect(restoreRedacted(`c\n${shown(line())}\n`, all)).toEqual({ unknown: shown(line()) });
  expect(restoreRedacted(shown(theirs), all)).toEqual({ text: theirs });
});

test("a mark that the file itself has stands for itself", () => {
  const text = "see [redacted: password] there\n";
  expect(restoreRedacted(`x\n${text}`, { wholes: [], sides: [text] })).toEqual({ text: `x\n${text}` });
});
