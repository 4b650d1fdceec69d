import { getEventListeners } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { IndexOutput } from "../schemas.ts";
import { showRun } from "../show.ts";
import { lockProject } from "../store/run-lock.ts";

/** Runs `code watch` on a project; `noted` waits for a line that a person would read. */
function watch(project: ReturnType<typeof openProject>) {
  const stop = new AbortController();
  const notes: string[] = [];
  let seen = 0;
  let look = () => {};
  const note = (line: string) => {
    notes.push(line);
    look();
  };
  const emit = (run: unknown) => note(showRun(IndexOutput.parse(run)));
  const call = { signal: stop.signal, progress: { report: () => {}, note }, emit };
  const watching = project.run("code_watch", {}, call);
  const noted = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      look = () => {
        const at = notes.findIndex((line, place) => place >= seen && wanted.test(line));
        if (at < 0) return;
        seen = at + 1;
        look = () => {};
        resolve(notes[at] ?? "");
      };
      look();
      watching.catch(reject);
    });
  return {
    noted,
    listeners: () => getEventListeners(stop.signal, "abort").length,
    /** A change may come during a run and be part of it: repeat the change until the wanted line appears. */
    async answers(change: (round: number) => void, wanted: RegExp): Promise<string> {
      let round = 0;
      change(round++);
      const again = setInterval(() => change(round++), 800);
      try {
        return await noted(wanted);
      } finally {
        clearInterval(again);
      }
    },
    async stop() {
      stop.abort();
      return watching;
    },
  };
}

test("watching updates the index after each change, until it is stopped", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  const watched = watch(project);
  await watched.noted(/indexed 1 files/);
  const change = (round: number) => project.write("b.go", `${source("Beta")}\n// ${round}\n`);
  await watched.answers(change, /indexed 1 files/);
  const listeners = watched.listeners();
  for (let burst = 1; burst < 4; burst++) {
    await watched.answers((round) => change(burst * 100 + round), /indexed 1 files/);
  }
  expect(watched.listeners()).toBe(listeners);
  await watched.stop();
  expect((await project.search("Beta")).results[0]?.file.path).toBe("b.go");
});

test("watching waits for another run, and continues if the last source file is removed", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "README.md": "words\n" });
  await project.index();
  const lock = await lockProject(project.data);
  const watched = watch(project);
  await watched.noted(/already under way/);
  lock.release();
  await watched.noted(/^Successfully indexed/);
  const line = await watched.answers(() => rmSync(join(project.root, "a.go"), { force: true }), /removed/);
  expect(line).toBe("1 files removed");
  await watched.answers((round) => project.write("b.go", source(`Beta${round}`)), /indexed 1 files/);
  await watched.stop();
  expect((await project.search("Alpha")).results).toEqual([]);
});
