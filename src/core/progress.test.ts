import { expect, test } from "vitest";
import { terminalProgress } from "./progress.ts";

function makeTerminal(isTTY: boolean) {
  const written: string[] = [];
  let time = 0;
  const progress = terminalProgress({ isTTY, columns: 60, write: (text) => written.push(text) }, () => time);
  const after = (ms: number) => {
    time += ms;
  };
  return { written, progress, after };
}

test("a terminal gets a bar with rate and time left, cleared before notes and at the end", () => {
  const { written, progress, after } = makeTerminal(true);
  progress.report({ done: 0, total: 100, label: "files" });
  after(50);
  progress.report({ done: 1, total: 100, label: "files" });
  after(950);
  progress.report({ done: 25, total: 100, label: "files" });
  progress.note("one was skipped");
  progress.end();
  expect(written).toEqual([
    "\r\u001b[2K░░░░░░░░░░░░░░░░░░░░░░░░ files 0/100",
    "\r\u001b[2K██████░░░░░░░░░░░░░░░░░░ files 25/100, 25/s, 3s left",
    "\r\u001b[2K",
    "one was skipped\n",
  ]);
});

test("without a terminal there is one line every few seconds, without a bar", () => {
  const { written, progress, after } = makeTerminal(false);
  for (let done = 0; done <= 100; done++) {
    progress.report({ done, label: "chunks" });
    after(100);
  }
  expect(written).toEqual(["chunks 30, 10/s\n", "chunks 60, 10/s\n", "chunks 90, 10/s\n"]);
});

test.each([
  [119, "1m 0s left"],
  [239, "2m 0s left"],
  [7_199, "1h 0m left"],
])("time left is rounded up before it is told in minutes: %i halves of a second", (halves, expected) => {
  const { written, progress, after } = makeTerminal(true);
  progress.report({ done: 0, total: halves + 2, label: "files" });
  after(1000);
  progress.report({ done: 2, total: halves + 2, label: "files" });
  expect(written.at(-1)).toContain(expected);
});
