import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { cachesAt, writeTree } from "../contracts/context-caches-cases.ts";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const ROUNDS = 60;
const documents = (generation: string) =>
  Object.fromEntries(
    Array.from({ length: 40 }, (_, place) => [`${place}.md`, `${generation} text ${place}`]),
  );

test("a forced build killed at any instant leaves the old cache or the new one, always valid", async () => {
  using dir = tempDir();
  const binary = await builtBinary();
  const caches = join(dir.path, ".context-caches");
  mkdirSync(caches);
  writeTree(join(dir.path, "old"), documents("old"));
  writeTree(join(dir.path, "new"), documents("new"));
  const env = {
    PATH: process.env["PATH"],
    HOME: dir.path,
    CONTEXTFUL_HOME: join(dir.path, ".contextful-home"),
  };
  const build = (generation: string) => {
    const args = [
      "caches",
      "build",
      "--sources",
      join(dir.path, generation),
      "--cache",
      join(caches, "c"),
      "--force",
    ];
    const child = spawn(process.execPath, [binary, ...args], { env, cwd: dir.path, stdio: "ignore" });
    return { child, end: new Promise<number | null>((resolve) => child.on("close", resolve)) };
  };
  const started = performance.now();
  expect(await build("old").end).toBe(0);
  const whole = performance.now() - started;
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, end } = build(round % 2 === 0 ? "new" : "old");
    // Spread over the whole build: a different instant in every round.
    await pause((whole * (round + 1)) / ROUNDS);
    child.kill("SIGKILL");
    await end;
    const call = cachesAt(dir.path);
    expect(await call("caches_verify", { cache: "c" })).toContain('"document_count":40');
    const answer = await call("context.resolve", { cache: "c", query: "", budget: 10_000 });
    const generations = new Set(
      [...answer.matchAll(/"content":"(old|new) /g)].map(([, generation]) => generation),
    );
    expect(generations.size).toBe(1);
    for (const generation of generations) seen.add(generation ?? "");
  }
  expect(await build("old").end).toBe(0);
  expect(readdirSync(caches)).toEqual(["c"]);
  expect(seen.size).toBeGreaterThan(0);
});

test("readers never see half of two generations while a cache is replaced over and over", async () => {
  using dir = tempDir();
  const call = cachesAt(dir.path);
  const cache = join(dir.path, ".context-caches", "c");
  for (const generation of ["old", "new"]) writeTree(join(dir.path, generation), documents(generation));
  const build = (generation: string) =>
    call("caches_build", { sources: join(dir.path, generation), cache, force: true });
  await build("old");
  let isOver = false;
  const answers: string[] = [];
  const reader = async () => {
    const own = cachesAt(dir.path);
    while (!isOver) answers.push(await own("context.resolve", { cache: "c", query: "", budget: 10_000 }));
  };
  const readers = [reader(), reader()];
  for (let round = 0; round < 50; round += 1) await build(round % 2 === 0 ? "new" : "old");
  isOver = true;
  await Promise.all(readers);
  const kinds = new Set(
    answers.map((answer) => [...new Set(answer.match(/"content":"(old|new) |"error".*/g))].join()),
  );
  expect([...kinds].filter((kind) => !/^"content":"(old|new) $/.test(kind))).toEqual([]);
  rmSync(cache, { recursive: true });
  expect(await call("context.inspect_cache", { cache: "c" })).toContain("cache_missing");
});

test("a replacement stopped between its two renames is finished by the next build", async () => {
  using dir = tempDir();
  const call = cachesAt(dir.path);
  const cache = join(dir.path, ".context-caches", "c");
  writeTree(join(dir.path, "old"), documents("old"));
  await call("caches_build", { sources: join(dir.path, "old"), cache });
  renameSync(cache, `${cache}.tmp.replaced`);
  expect(await call("caches_verify", { cache })).toContain('"document_count":40');
  await call("caches_build", { sources: join(dir.path, "old"), cache, force: true });
  expect(readdirSync(join(dir.path, ".context-caches"))).toEqual(["c"]);
});
