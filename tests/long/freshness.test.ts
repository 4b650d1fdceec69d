import { join } from "node:path";
import { expect, test } from "vitest";
import { ChangingProject, searchWhileChanging } from "../support/changing-project.ts";
import { tempDir } from "../support/temp-dir.ts";

// At the same time: most of it is waiting for servers.
test.concurrent.each([1, 2])(
  "no answer is falsely up to date during 200 changes, with four servers (seed %i)",
  async (seed) => {
    using directory = tempDir();
    const project = new ChangingProject(join(directory.path, "project"), seed, 80);
    const home = join(directory.path, "home");
    const run = await searchWhileChanging({ home, project, rounds: 200, clients: 4, killEvery: 60 });
    expect(run.wrong).toEqual([]);
    expect(run.fresh + run.behind).toBe(200 * 4 * 2);
    expect(run.fresh).toBeGreaterThan(0);
  },
);
