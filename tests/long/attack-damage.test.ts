import { test } from "vitest";
import { expectNoWrongAnswer } from "../support/damaged-index.ts";

/** A quick form of it is beside the store. */
const FLIPS = Math.max(200, Number(process.env["ATTACK_RUNS"] ?? 0) / 100);

test("after any of many flipped bits in an index, no answer is wrong", () => expectNoWrongAnswer(FLIPS));
