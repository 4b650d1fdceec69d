import { expect, test } from "vitest";
import { protocolProgress } from "./progress.ts";

test("numbers only rise, also across phases, and a flood is reduced", () => {
  const sent: unknown[] = [];
  let clock = 0;
  const progress = protocolProgress(
    (message) => sent.push(message),
    () => clock,
  );
  for (let done = 1; done <= 100; done += 1) {
    clock += 10;
    progress.report({ done, total: 100, label: "files" });
  }
  progress.report({ done: 0, total: 4, label: "embedding" });
  clock += 500;
  progress.report({ done: 2, total: 4, label: "embedding" });
  progress.report({ done: 1, total: 4, label: "embedding" });
  progress.report({ done: 4, total: 4, label: "embedding" });
  expect(sent).toEqual([
    ...[1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 100].map((done) => ({
      progress: done,
      total: 100,
      message: "files",
    })),
    { progress: 102, total: 104, message: "embedding" },
    { progress: 104, total: 104, message: "embedding" },
  ]);
});
