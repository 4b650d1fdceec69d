import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const linesOf = (input: Readable) => {
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
};

/** The real command in a project of its own, and its lines as they come. */
async function startWatch(directory: string, args: readonly string[]) {
  const root = join(directory, "project");
  write(root, ".context.config.yaml", "min_tokens: 0\n");
  write(root, "src/a.go", "package p\n\nfunc Alpha() {}\n");
  const child = spawn(process.execPath, [await builtBinary(), ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: directory, CONTEXTFUL_HOME: join(directory, "home") },
  });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    root,
    nextOut: linesOf(child.stdout),
    nextErr: linesOf(child.stderr),
    stop: () => child.kill("SIGINT"),
    exit,
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

test("directories watch --json prints each change as a line when it happens, and the answer last", async () => {
  using dir = tempDir();
  using watch = await startWatch(dir.path, ["directories", "watch", "--interval", "50", "--json"]);
  expect(await watch.nextErr()).toBe("Watching 2 directories.");
  write(watch.root, "new/b.go", "package q\n");
  expect(JSON.parse(await watch.nextOut())).toEqual({ scope: "new", state: "missing" });
  watch.stop();
  expect([await watch.nextOut(), await watch.exit]).toEqual(['{"changes":1}', 0]);
});

test("code watch --json prints each run that changed something as a line, and the answer last", async () => {
  using dir = tempDir();
  using watch = await startWatch(dir.path, ["code", "watch", ".", "--json"]);
  const first = { success: true, statistics: { files_indexed: 1 } };
  expect(JSON.parse(await watch.nextOut())).toMatchObject(first);
  write(watch.root, "src/b.go", "package p\n\nfunc Beta() {}\n");
  expect(JSON.parse(await watch.nextOut())).toMatchObject(first);
  watch.stop();
  expect([await watch.nextOut(), await watch.exit]).toEqual([expect.stringMatching(/^{"runs":\d+}$/), 0]);
});

test("without --json a person reads the same changes as text, apart from the answer", async () => {
  using dir = tempDir();
  using watch = await startWatch(dir.path, ["directories", "watch", "--interval", "50"]);
  expect(await watch.nextErr()).toBe("Watching 2 directories.");
  write(watch.root, "new/b.go", "package q\n");
  expect(await watch.nextErr()).toBe("missing  new");
  watch.stop();
  expect([await watch.nextOut(), await watch.exit]).toEqual(["1 change seen.", 0]);
});
