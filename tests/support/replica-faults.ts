import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "rolldown";
import { expect } from "vitest";
import { sha256 } from "../../src/core/hash.ts";
import { unpackBlock } from "../../src/core/replica/blocks.ts";
import { followGeneration } from "../../src/core/replica/follow.ts";
import { openReplica, openTeamStore } from "../../src/core/replica/open-replica.ts";
import type { TeamStore } from "../../src/core/replica/replica.ts";
import { tempDir } from "./temp-dir.ts";

interface FaultPlan {
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How many publications are acknowledged before it ends. */
  readonly publications: number;
  /** Leases that begin with this must end by themselves; default: those of publishers. */
  readonly leases?: string;
  /** Kills the store and starts it again. */
  restartStore?(): Promise<void>;
}
const PUBLISHERS = 2;
/** One of so many publications is killed after it began, and after one of so many kills the store is killed too. */
const KILLS_IN = 3;
const RESTARTS_IN = 8;

/** Kills publishers and the store at random moments, then checks that nothing acknowledged is lost and nothing is half there. */
export async function publishUnderFaults({
  url,
  env = {},
  publications,
  leases = "publishing-",
  restartStore,
}: FaultPlan) {
  using directory = tempDir();
  using program = await bundledPublisher();
  const begun = new Set<string>();
  const done = new Set<string>();
  let kills = 0;
  let restarts = 0;
  let isOver = false;
  let restarting = Promise.resolve();
  const runPublisher = async (number: number) => {
    while (!isOver) {
      const file = join(directory.path, `index-${number}`);
      const child = spawn(process.execPath, [program.file, url, file], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...env },
      });
      const exited = once(child, "exit");
      const lines = createInterface({ input: child.stdout });
      for await (const line of lines) {
        const [word, content = ""] = line.split(" ");
        (word === "begin" ? begun : done).add(content);
        isOver ||= done.size >= publications;
        if (isOver || (word === "begin" && randomInt(KILLS_IN) === 0)) {
          await pause(randomInt(40));
          child.kill("SIGKILL");
          kills++;
        }
      }
      expect(await exited).toEqual([null, "SIGKILL"]);
      if (!isOver && restartStore && randomInt(RESTARTS_IN) === 0) {
        restarts++;
        restarting = restarting.then(restartStore);
        await restarting;
      }
    }
  };
  const followed = new Set<string>();
  const reader = { url, env, followed, directory: join(directory.path, "reader") };
  const runs = [
    ...Array.from({ length: PUBLISHERS }, (_, number) => runPublisher(number)),
    followMeanwhile(() => isOver, reader),
  ];
  // If one fails, the others end too.
  for (const run of runs)
    run.catch(() => {
      isOver = true;
    });
  await Promise.all(runs);
  // Only now every line of the publishers is read.
  expect([...followed].filter((content) => !begun.has(content))).toEqual([]);
  await using replica = await openTeamStore(url, { ...process.env, ...env });
  await checkStore(replica, { done, leases, directory: join(directory.path, "checked") });
  return { kills, restarts, done: done.size, begun: begun.size };
}

interface Seen {
  readonly followed: Set<string>;
  readonly directory: string;
}

/** A reader sees a whole generation, or an error of the store that is away. */
async function followMeanwhile(
  isOver: () => boolean,
  { url, env, followed, directory }: Seen & Pick<FaultPlan, "url" | "env">,
): Promise<void> {
  while (!isOver()) {
    await pause(30);
    const content = await (async () => {
      await using replica = await openReplica(url, { ...process.env, ...env });
      const [newest] = await replica.registry.generations(sha256("project"), "test");
      if (newest === undefined) return undefined;
      return readFileSync((await followGeneration(newest, directory, replica)).file);
    })().catch((thrown: unknown) => {
      // Bytes that are not whole would be another reason.
      if (Object(thrown).reason === "damaged_block") throw thrown;
      return undefined;
    });
    if (content) followed.add(sha256(content));
  }
}

interface Acknowledged {
  readonly done: ReadonlySet<string>;
  readonly leases: string;
  readonly directory: string;
}

async function checkStore(replica: TeamStore, { done, leases, directory }: Acknowledged): Promise<void> {
  const { registry, blocks } = replica;
  for (const id of await registry.manifests()) {
    const wanted = (await registry.manifest(id))?.blocks ?? [];
    const stored = await blocks.get([...new Set(wanted)]);
    const isWhole = (hash: string) => unpackBlock(stored.get(hash) ?? new Uint8Array(), hash) !== undefined;
    expect(wanted.filter((hash) => !isWhole(hash))).toEqual([]);
  }
  const generations = await registry.generations(sha256("project"), "test");
  const byCommit = new Map(generations.map((generation) => [generation.commit, generation]));
  for (const content of done) {
    const generation = byCommit.get(content.slice(0, 40));
    expect(generation).toBeDefined();
    if (generation === undefined) continue;
    const { file } = await followGeneration(generation, directory, replica);
    expect(sha256(readFileSync(file))).toBe(content);
  }
  await expect.poll(() => registry.leases(leases), { timeout: 150_000 }).toEqual([]);
}

/** It finds its packages from the directory that it is written to. */
async function bundledPublisher(): Promise<Disposable & { readonly file: string }> {
  const out = resolve("node_modules", ".cache", "contextful", `publisher-${process.pid}`);
  await build({
    input: "tests/support/replica-publisher.ts",
    platform: "node",
    transform: { target: "node20.19" },
    external: [/^(?!@oxc-project\/runtime)[a-z@]/],
    logLevel: "silent",
    output: { dir: out, format: "esm", entryFileNames: "[name].mjs" },
  });
  return {
    file: join(out, "replica-publisher.mjs"),
    [Symbol.dispose]: () => rmSync(out, { recursive: true, force: true }),
  };
}
