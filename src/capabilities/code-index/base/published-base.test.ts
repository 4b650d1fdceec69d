import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { Config } from "../../../core/config/config.ts";
import type { Logger } from "../../../core/logger.ts";
import { openEmbeddings } from "../../../core/search/index.ts";
import { openCodeStore, readMetadata } from "../store/code-store.ts";
import { currentIndexFile } from "../store/generations.ts";

const NAMES = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];
const FILES = Object.fromEntries(NAMES.map((name) => [`pkg/${name.toLowerCase()}.go`, source(name)]));

/** A worker with a repository of one commit, a team's store, and laptops, each with a home of its own. */
function openTeam() {
  const directory = tempDir();
  const store = join(directory.path, "store");
  mkdirSync(store);
  const config = async () => Config.parse({ embedding: { provider: "disabled" }, team: { url: store } });
  const worker = openProject({ "go.mod": "module example.org/shop\n", ...FILES }, { config });
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", ...args], { cwd });
  gitIn(worker.root, "init", "-q", "-b", "main");
  gitIn(worker.root, "add", ".");
  gitIn(worker.root, "commit", "-q", "-m", "one");
  const laptop = (...flags: string[]) => {
    const logged: string[] = [];
    const log = (message: string) => void logged.push(message);
    const logger: Logger = { info: log, warn: log, error: log };
    const home = join(directory.path, `home-${Math.random()}`);
    const clone = openProject({}, { config, logger, home });
    rmSync(clone.root, { recursive: true });
    gitIn("/", "clone", "-q", ...flags, `file://${worker.root}`, clone.root);
    return Object.assign(clone, { logged });
  };
  const commit = (cwd: string, name: string) => {
    writeFileSync(join(cwd, "pkg/beta.go"), source(name));
    gitIn(cwd, "commit", "-qam", name);
  };
  return {
    worker,
    store,
    laptop,
    commit,
    publish: () => worker.command("publish", {}),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}
const counts = async (project: ReturnType<typeof openProject>) => {
  const { files_indexed, files_skipped } = (await project.index()).statistics;
  return [files_indexed, files_skipped];
};
const contentOf = (directory: string) =>
  Buffer.concat(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );

test("a new clone starts from the team's index and indexes only what differs; the edit stays on the machine", async () => {
  await using team = openTeam();
  await team.publish();
  await using laptop = team.laptop();
  laptop.write("pkg/beta.go", source("LocalSecretName"));
  const before = contentOf(team.store);
  expect(await counts(laptop)).toEqual([1, 4]);
  expect(laptop.logged).toEqual(["starts from the team's index, 0 changed files away"]);
  expect((await laptop.search("LocalSecretName")).results).toHaveLength(1);
  expect(contentOf(team.store).equals(before)).toBe(true);
  expect(readdirSync(laptop.data.directory).filter((name) => name.startsWith("code-team"))).toEqual([]);
});

test("of the published commits the nearest is taken, also if the newest is not fetched yet", async () => {
  await using team = openTeam();
  await team.publish();
  await using early = team.laptop();
  team.commit(team.worker.root, "Omega");
  await team.publish();
  expect(await counts(early)).toEqual([0, 5]);
  await using late = team.laptop();
  expect(await counts(late)).toEqual([0, 5]);
  expect(late.logged).toEqual(["starts from the team's index, 0 changed files away"]);
});

test("an index that started from the team's is published again with few new blocks, and without another build", async () => {
  await using team = openTeam();
  await team.publish();
  await using runner = team.laptop();
  team.commit(runner.root, "Omega");
  const { output } = await runner.command("publish", {});
  expect(output).toMatchObject({ new_blocks: expect.any(Number) });
  const embeddings = openEmbeddings(await runner.machine.config(), runner.machine);
  using code = await openCodeStore(currentIndexFile(runner.data) ?? "", embeddings, { readOnly: true });
  expect(readMetadata(code)["only_commits"]).toBe("true");
});

test("a store that cannot be reached is told once, and everything is indexed here", async () => {
  await using team = openTeam();
  await using laptop = team.laptop();
  rmSync(team.store, { recursive: true });
  expect(await counts(laptop)).toEqual([5, 0]);
  expect(laptop.logged).toEqual([
    "The team's directory is not there. Create it, or mount its drive. Everything is indexed here.",
  ]);
});

test("a damaged block in the store, and a shallow clone, lead to an index of its own", async () => {
  await using team = openTeam();
  await team.publish();
  await using shallow = team.laptop("--depth=1");
  team.commit(team.worker.root, "Omega");
  const blocks = join(team.store, "blocks");
  const entries = readdirSync(blocks, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile()))
    writeFileSync(join(entry.parentPath, entry.name), "damaged");
  await using laptop = team.laptop();
  expect(await counts(laptop)).toEqual([5, 0]);
  expect(laptop.logged.join()).toContain("is missing or damaged");
  expect((await laptop.search("Alpha")).results).toHaveLength(1);
  expect(await counts(shallow)).toEqual([5, 0]);
});

test("a flipped bit of a block is found, or it changes nothing", async () => {
  await using team = openTeam();
  await team.publish();
  const answers = async (project: ReturnType<typeof openProject>) =>
    Promise.all(NAMES.map(async (name) => (await project.search(name)).results));
  const expected = await answers(team.worker);
  const blocks = readdirSync(join(team.store, "blocks"), { recursive: true, withFileTypes: true });
  const files = blocks.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const logged: string[] = [];
  for (const [number, file] of files.slice(0, 6).entries()) {
    const whole = readFileSync(file);
    const at = Math.floor((whole.length * number) / 6);
    writeFileSync(file, whole.with(at, (whole[at] ?? 0) ^ (1 << number)));
    await using laptop = team.laptop();
    await laptop.index();
    expect(await answers(laptop)).toEqual(expected);
    logged.push(...laptop.logged);
    writeFileSync(file, whole);
  }
  expect(logged.join()).toContain("is missing or damaged");
});

test("publish says what it did, repairs the store, and refuses without a store", async () => {
  await using team = openTeam();
  const shown = async (form = {}) => (await team.worker.command("publish", form)).show();
  expect(await shown()).toMatch(
    /^Published project at [0-9a-f]{12}: (\d+) of \1 blocks are new \(0\.\d MB\)\.$/,
  );
  expect(await shown()).toMatch(/: 0 of \d+ blocks are new/);
  const [entry] = readdirSync(join(team.store, "blocks"), { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile(),
  );
  writeFileSync(join(entry?.parentPath ?? "", entry?.name ?? ""), "damaged");
  expect(await shown({ repair: true })).toMatch(/: 1 of \d+ blocks are new/);
  await using alone = openProject(FILES);
  await expect(alone.command("publish", {})).rejects.toThrow("No team's store is known. Give --to");
  await expect(alone.command("publish", { to: "postgres" })).rejects.toMatchObject({ code: "invalid_input" });
});
