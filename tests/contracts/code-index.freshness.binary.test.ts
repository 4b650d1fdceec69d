import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { projectAt } from "../../src/capabilities/code-index/store/project.ts";
import { lockHolder } from "../../src/core/lock/lock.ts";
import { ChangingProject, searchWhileChanging } from "../support/changing-project.ts";
import { builtBinary } from "../support/dist.ts";
import { testMachine } from "../support/machine.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const Status = z.object({
  structuredContent: z.object({ statistics: z.object({ total_files: z.int() }).nullable() }),
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

test("no answer is falsely up to date while a tree changes and two servers search it", async () => {
  using directory = tempDir();
  const project = new ChangingProject(join(directory.path, "project"), 3, 30);
  const home = join(directory.path, "home");
  const run = await searchWhileChanging({ home, project, rounds: 12, clients: 2 });
  expect(run.wrong).toEqual([]);
  expect(run.fresh).toBeGreaterThan(0);
});

test("the contract's error starts the first index, one server watches, and when it dies another takes over", async () => {
  using directory = tempDir();
  const root = join(directory.path, "project");
  const home = join(directory.path, "home");
  mkdirSync(root);
  writeFileSync(join(root, "contextful.toml"), '[embedding]\nprovider = "disabled"\n');
  const write = (name: string) => writeFileSync(join(root, `${name}.go`), `package p\n\nfunc ${name}() {}\n`);
  write("Alpha");
  const binary = await builtBinary();
  const start = async () => {
    const client = startClient(binary, { cwd: root, env: { CONTEXTFUL_HOME: home } });
    await client.initialize();
    return client;
  };
  await using one = await start();
  await using two = await start();
  const search = (client: typeof one) => client.callTool("search_code", { path: root, query: "Alpha" });
  expect((await search(one)).error?.code).toBe(-32003);
  await until(async () => (await search(one)).error === undefined);
  const { directory: data } = projectAt(testMachine(root, { home }), root);
  const watcher = () => lockHolder({ directory: data, name: "code-watch" })?.pid;
  await until(() => watcher() === one.child.pid);
  expect((await search(two)).error).toBeUndefined();
  one.child.kill("SIGKILL");
  await until(() => watcher() === two.child.pid);
  write("Beta");
  // Asking for the status starts no update.
  await until(async () => {
    const { result } = await two.callTool("get_status", { path: root });
    return Status.parse(result).structuredContent.statistics?.total_files === 2;
  });
});
