import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { testCall } from "../../../../tests/support/machine.ts";
import { Config } from "../../../core/config/config.ts";
import { followGeneration } from "../../../core/replica/follow.ts";
import { openTeamStore } from "../../../core/replica/open-replica.ts";
import { publishFile } from "../../../core/replica/publish.ts";
import type { Generation, Replica } from "../../../core/replica/replica.ts";
import { sqliteDriver } from "../../../core/store/sqlite-driver.ts";
import { type Call, invoke, invokeView } from "../../../core/tool.ts";
import { type FollowedCode, openPublishedCode } from "../index.ts";
import { currentIndexFile } from "../store/generations.ts";

const NAMES = ["Alpha", "Beta", "Gamma", "Delta"];
const FILES = Object.fromEntries(
  NAMES.map((name) => [
    `pkg/${name.toLowerCase()}.go`,
    `package p\n\n// ${name} does it.\nfunc ${name}() { Alpha() }\n`,
  ]),
);

/** A repository with one commit, an empty team's store, and a follower of it. */
async function openTeam() {
  const project = openProject({ "go.mod": "module example.org/shop\n", ...FILES });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", ...args], {
      cwd: project.root,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "one");
  const beside = (name: string) => join(project.root, "..", name);
  execFileSync("mkdir", [beside("store")]);
  const replica = await openTeamStore(beside("store"));
  const publish = (options = {}) => project.room.publishCode(project.root, replica, options, testCall());
  const follow = (over: Replica = replica, options = {}) =>
    openPublishedCode(project.machine, { replica: over, directory: beside("followed"), ...options });
  return { project, git, beside, replica, publish, follow };
}

const toolOf = ({ tools }: FollowedCode, name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};
const withoutTime = (output: unknown) =>
  JSON.stringify(output).replaceAll(/"search_duration_ms":[\d.]+|in \d+ms/g, "");
const away: Replica["registry"] = new Proxy({} as Replica["registry"], {
  get: () => () => Promise.reject(new Error("the store is away")),
});

test("a followed index answers every reading tool with the bytes of the embedded one, without a directory", async () => {
  const { project, publish, follow } = await openTeam();
  await using _room = project;
  const { generation } = await publish();
  const questions: [string, Record<string, unknown>][] = [
    ["search_code", { query: "Beta" }],
    ["search_code", { query: "does it", filters: { file_pattern: "pkg/**" } }],
    ["find_symbol", { symbol: "Gamma", path: "." }],
    ["find_references", { symbol: "Alpha", path: "pkg" }],
    ["call_graph", { symbol: "Alpha", path: "pkg/alpha.go" }],
    ["outline", { path: "pkg" }],
    ["code_files", {}],
    ["code_symbols", {}],
    ["code_unused", {}],
  ];
  const embedded: string[] = [];
  for (const [name, input] of questions) embedded.push(withoutTime(await project.run(name, input)));
  const literal = { query: "does it", match: "literal", on_missing: "wait" };
  const person: Partial<Call> = { caller: "person" };
  embedded.push(withoutTime(await project.run("search_code", literal, person)));
  rmSync(project.root, { recursive: true });
  const notices: string[] = [];
  const call = testCall({ notice: (text) => notices.push(text) });
  await using published = follow();
  const followed = await published.use(generation.project, async (code) => {
    const answers: string[] = [];
    for (const [name, input] of questions)
      answers.push(withoutTime(await invoke(toolOf(code, name), { path: code.root, ...input }, call)));
    const asked = { path: code.root, ...literal };
    answers.push(withoutTime(await invoke(toolOf(code, "search_code"), asked, testCall(person))));
    return answers;
  });
  expect(followed).toEqual(embedded);
  expect(new Set(notices)).toEqual(
    new Set([`Published at commit ${generation.commit.slice(0, 12)}, 2026-01-02T03:04:05.000Z.`]),
  );
});

test("code_search finds a part of a project that is on no disk, and says what is not there", async () => {
  const { project, publish, follow } = await openTeam();
  await using _room = project;
  const { generation } = await publish({ name: "../shop of ours" });
  await using published = follow();
  await published.use(generation.project, async (code) => {
    const tool = toolOf(code, "search_code");
    const ask = async (path: string) => {
      const view = { tool, view: tool.agentView ?? {}, context: { root: code.root } };
      return (await invokeView(view, { query: "Alpha", path }, testCall())).show();
    };
    expect(await ask("pkg/beta.go")).toContain("pkg/beta.go:3-4");
    expect(await ask("pkg")).toContain("pkg/alpha.go:3-4");
    await expect(ask("absent")).rejects.toThrow("The project has no absent.");
    await expect(ask("/elsewhere")).rejects.toMatchObject({ reason: "wrong_path" });
    expect(code.root).toBe("/shop-of-ours");
  });
});

test("what the machine knows about the directory is not published", async () => {
  const { project, publish, follow } = await openTeam();
  await using _room = project;
  const { generation } = await publish();
  await using published = follow();
  const { file } = await published.follow(generation);
  expect(readFileSync(file).includes(project.root)).toBe(false);
  const status = await published.use(generation.project, (code) =>
    invoke(toolOf(code, "get_status"), { path: code.root }, testCall()),
  );
  expect(status).toMatchObject({
    indexed: true,
    project: { root_path: "/project", module_name: "example.org/shop" },
    statistics: { total_files: 4 },
  });
});

test("what was edited and indexed but never committed is in no byte of the published file", async () => {
  const { project, publish, follow } = await openTeam();
  await using _room = project;
  const draft = "UncommittedDraftName";
  project.write("pkg/draft.go", source(draft));
  await project.index();
  rmSync(join(project.root, "pkg/draft.go"));
  const { generation } = await publish();
  await using published = follow();
  const { file } = await published.follow(generation);
  const local = readFileSync(currentIndexFile(project.data) ?? "");
  for (const bytes of [readFileSync(file), local]) {
    expect(bytes.includes(draft)).toBe(false);
    expect(bytes.includes(draft.toLowerCase())).toBe(false);
  }
});

test("only a commit is published: changed, staged and new files are refused by name", async () => {
  const { project, git, publish, replica } = await openTeam();
  await using _room = project;
  const refused = { reason: "dirty_tree", message: expect.stringContaining("pkg/beta.go") };
  project.write("pkg/beta.go", source("Omega"));
  await expect(publish()).rejects.toMatchObject(refused);
  git("add", "pkg/beta.go");
  await expect(publish()).rejects.toMatchObject(refused);
  git("reset", "-q", "--hard");
  project.write("pkg/new.go", source("New"));
  await expect(publish()).rejects.toMatchObject({ reason: "dirty_tree" });
  expect(await replica.registry.manifests()).toEqual([]);
});

test("a shallow clone and a directory without a commit are refused with what to do", async () => {
  const { project, git, beside, replica } = await openTeam();
  await using _room = project;
  project.write("pkg/beta.go", source("Omega"));
  git("commit", "-qam", "two");
  git("clone", "-q", "--depth=1", `file://${project.root}`, beside("shallow"));
  const publish = (path: string) => project.room.publishCode(path, replica, {}, testCall());
  await expect(publish(beside("shallow"))).rejects.toThrow("git fetch --unshallow");
  execFileSync("mkdir", [beside("plain")]);
  await expect(publish(beside("plain"))).rejects.toMatchObject({ reason: "not_a_repository" });
});

test("a newer generation replaces the older one; only its new blocks are fetched", async () => {
  const { project, git, publish, follow } = await openTeam();
  await using _room = project;
  const one = await publish();
  await using published = follow();
  const names = (query: string) =>
    published.use(one.generation.project, async (code) => {
      const { hits } = await code.search({ query, limit: 5, mode: "keyword" }, testCall().signal);
      return hits.map(({ symbol }) => symbol.name);
    });
  expect(await names("Omega")).toEqual([]);
  project.write("pkg/beta.go", source("Omega"));
  git("commit", "-qam", "two");
  const two = await publish();
  expect(two.newBlocks).toBeGreaterThan(0);
  await published.use(one.generation.project, async (code) => {
    const followed = await published.follow(two.generation);
    expect(followed.fetched).toBe(two.newBlocks);
    // This call goes on with the generation that it began with.
    expect(code.generation.commit).toBe(one.generation.commit);
    expect(code.symbolsOfFiles(["pkg/beta.go"])[0]?.symbols.map(({ name }) => name)).toEqual(["Beta"]);
  });
  expect(await names("Omega")).toEqual(["Omega"]);
});

test("the first publication merges what a search looks through; later ones add to it", async () => {
  const { project, git, beside, replica } = await openTeam();
  await using _room = project;
  execFileSync("mkdir", [beside("other")]);
  await using other = await openTeamStore(beside("other"));
  const segments = async (name: string, to: Replica) => {
    project.write(`pkg/${name}.go`, source(name));
    git("add", ".");
    git("commit", "-q", "-m", name);
    const { generation } = await project.room.publishCode(project.root, to, {}, testCall());
    const { file } = await followGeneration(generation, beside("one"), to);
    const connection = sqliteDriver().open(file, { readOnly: true });
    const [row] = connection.prepare("SELECT count(*) AS count FROM code_search_segments").all();
    connection.close();
    return Object(row).count;
  };
  expect([
    await segments("one", other),
    await segments("two", other),
    await segments("three", other),
  ]).toEqual([1, 2, 3]);
  expect([await segments("four", replica), await segments("five", replica)]).toEqual([1, 2]);
});

test("a commit that changes no indexed file is told as the newest one", async () => {
  const { project, git, publish, follow } = await openTeam();
  await using _room = project;
  const one = await publish();
  await using published = follow();
  const commit = () => published.use(one.generation.project, ({ generation }) => generation.commit);
  expect(await commit()).toBe(one.generation.commit);
  git("commit", "-q", "--allow-empty", "-m", "two");
  const two = await publish();
  await published.follow(two.generation);
  expect(await commit()).toBe(two.generation.commit);
});

test("after a restart without the store, what is here is served, unless a byte of it has changed", async () => {
  const { project, publish, replica, follow } = await openTeam();
  await using _room = project;
  const { generation } = await publish();
  const offline: Replica = { ...replica, registry: away };
  const held = async (over: Replica) => {
    await using published = follow(over);
    return published.use(generation.project, (code) => code.generation.commit);
  };
  await expect(held(offline)).rejects.toThrow("the store is away");
  expect(await held(replica)).toBe(generation.commit);
  expect(await held(offline)).toBe(generation.commit);
  const file = join(project.root, "../followed", generation.project, `${generation.manifest}.sqlite`);
  const bytes = readFileSync(file);
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await expect(held(offline)).rejects.toThrow("the store is away");
  expect(await held(replica)).toBe(generation.commit);
});

test("the directory stays within its limit: the project that was used last stays", async () => {
  const { project, publish, replica, follow } = await openTeam();
  await using _room = project;
  const { generation } = await publish();
  const others = ["b", "c"].map((letter): Generation => ({ ...generation, project: letter.repeat(64) }));
  const manifest = await replica.registry.manifest(generation.manifest);
  if (!manifest) throw new Error("not published");
  for (const other of others) await replica.registry.publish(other, manifest);
  await using published = follow(replica, { maxBytes: manifest.length * 2 });
  const ids = [generation, ...others].map((one) => one.project);
  for (const id of ids.slice(0, 2)) await published.use(id, () => undefined);
  await published.use(ids[0] ?? "", () => undefined);
  await published.use(ids[2] ?? "", () => undefined);
  const held = (await published.held()).map((one) => one.generation.project);
  expect(held.sort()).toEqual([ids[0], ids[2]].sort());
  expect(existsSync(join(project.root, "../followed", ids[1] ?? ""))).toBe(false);
});

test("a project that is not published, and an id that is a path, say so", async () => {
  const { project, follow } = await openTeam();
  await using _room = project;
  await using published = follow();
  for (const id of ["a".repeat(64), "../../etc"])
    await expect(published.use(id, () => undefined)).rejects.toMatchObject({ reason: "not_published" });
});

/** What a file from elsewhere may have in place of our tables. A query would then never end, or take all memory. */
const ODD_TABLES: Readonly<Record<string, string>> = {
  "a trigger": "CREATE TRIGGER t AFTER UPDATE ON files BEGIN DELETE FROM files; END",
  "a view for a table": `ALTER TABLE facts RENAME TO kept; CREATE VIEW facts AS
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT 'format' AS name, x AS value FROM n`,
  "a computed column": `DROP TABLE left_out; CREATE TABLE left_out (path TEXT PRIMARY KEY, size INTEGER NOT NULL,
    ctime_ms REAL NOT NULL, more TEXT GENERATED ALWAYS AS (hex(zeroblob(400000000))))`,
  "a table more": "CREATE TABLE more (x)",
  "a table less": "DROP TABLE trigrams",
};

test.each(Object.entries(ODD_TABLES))("a published index with %s is not used", async (_name, sql) => {
  const { project, beside, replica, publish, follow, git } = await openTeam();
  await using _room = project;
  const { generation } = await publish();
  const { file } = await followGeneration(generation, beside("changed"), replica);
  const connection = sqliteDriver().open(file, { readOnly: false });
  connection.exec(sql);
  connection.close();
  const { manifest: _manifest, ...about } = generation;
  await publishFile(file, about, replica);
  await using published = follow();
  const using = published.use(generation.project, (code) =>
    invoke(toolOf(code, "code_files"), {}, testCall()),
  );
  await expect(using).rejects.toMatchObject({ code: "not_indexed" });
  git("clone", "-q", project.root, beside("clone"));
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const config = async () =>
    Config.parse({ embedding: { provider: "disabled" }, team: { url: beside("store") } });
  const laptop = openProject(
    {},
    { config, home: beside("home"), logger: { info: log, warn: log, error: log } },
  );
  await using _laptop = laptop;
  const { files_indexed } = (await laptop.index({ path: beside("clone") })).statistics;
  expect(files_indexed).toBe(NAMES.length);
  expect(logged).toEqual(["could not start from another index, so everything is indexed:"]);
});
