import { test } from "vitest";
import { expectNoWrongAnswer } from "../../../../tests/support/damaged-index.ts";

test("after a flipped bit in an index, every answer is the same, or the index is made again", () =>
  expectNoWrongAnswer(8));
