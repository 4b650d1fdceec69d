import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Config } from "../../src/core/config/config.ts";
import { refuseInProject } from "../../src/core/config/project-limits.ts";
import { testCall } from "../support/machine.ts";
import { documentsProject, type Result } from "./documents-project.ts";
import { gitIn } from "./documents-sources.ts";

/** A repository with a page and some history. */
function projectWithHistory(config: object = {}) {
  const project = documentsProject({ embedding: { provider: "disabled" }, ...config });
  const git = (...args: string[]) => gitIn(project.root, ...args);
  git("init", "-q", "-b", "main");
  git("config", "remote.origin.url", "https://token@github.com/acme/pumps.git");
  const commit = (message: string) => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD").trim();
  };
  const asPerson = async (query: string, more: object = {}): Promise<readonly Result[]> => {
    const input = { query, sync_first: true, ...more };
    const answer = await project.call("context.search", input, testCall({ caller: "person" }));
    return (answer as { results: Result[] }).results;
  };
  project.write("README.md", "# Pumps\n\nThe pumps have a valve.\n");
  project.write("src/retry.ts", "export const retry = 1;\n");
  commit("Add pumps with retries");
  rmSync(`${project.root}/src/retry.ts`);
  const removal = commit(
    "Remove retries of valve commands\n\nA second command opened the valve twice.\n\nSigned-off-by: Ada <ada@example.org>",
  );
  return Object.assign(project, { git, commit, asPerson, removal });
}

test("a question why something was removed is answered by the commit, with the files it touched", async () => {
  await using project = projectWithHistory();
  const [hit] = await project.asPerson("why were the retries of valve commands removed");
  expect(hit).toMatchObject({
    source: "commits:project",
    source_id: project.removal,
    title: "Remove retries of valve commands",
    source_url: `https://github.com/acme/pumps/commit/${project.removal}`,
  });
  const { body, author } = await project.get(hit?.id ?? "");
  expect(author).toBe("Ada");
  expect(body).toMatch(
    /^Remove retries of valve commands\n\nA second command opened the valve twice\.\n\nCommit [0-9a-f]{12} by Ada, \d{4}-\d\d-\d\d\nRemoved: src\/retry\.ts$/,
  );
});

test("a question why a file was removed is answered by the commit that removed it, whatever its message says", async () => {
  await using project = projectWithHistory();
  for (const change of ["Shorten", "Correct", "Translate"]) {
    project.write("README.md", `# Pumps\n\n${change}ed.\n`);
    project.commit(`${change} the README\n\nA paragraph of the README was removed.`);
  }
  rmSync(`${project.root}/README.md`);
  const removal = project.commit("Move everything to the handbook");
  const [hit] = await project.asPerson("why was the README removed");
  expect(hit).toMatchObject({ source_id: removal });
});

test("a question about the present finds no commits, unless it asks this source", async () => {
  await using project = projectWithHistory();
  await project.asPerson("why was it removed");
  const sources = async (query: string, more: object = {}) =>
    (await project.asPerson(query, more)).map(({ source }) => source);
  expect([
    await sources("valve"),
    await sources("valve", { filters: { source: "commits:project" } }),
    await sources("who changed the valve"),
  ]).toEqual([["filesystem:project"], ["commits:project"], ["commits:project", "filesystem:project"]]);
});

test("packs get the project's own documents only", async () => {
  await using project = projectWithHistory();
  await project.asPerson("why was it removed");
  const found = await project.door.search({ query: "why does the valve", mode: "keyword", limit: 9 });
  expect(found.map(({ source }) => source)).toEqual(["filesystem:project"]);
});

test("only new commits are read, and rewritten ones leave", async () => {
  await using project = projectWithHistory();
  await project.sync({ target: "commits" });
  project.commit("Explain the sluice");
  const [second] = await project.sync({ target: "commits" });
  project.git("commit", "-q", "--amend", "--allow-empty", "-m", "Explain the weir");
  const [third] = await project.sync({ target: "commits" });
  expect([
    [second?.written, second?.unchanged],
    [third?.written, third?.unchanged, third?.removed],
    await project.search("why sluice"),
  ]).toEqual([[1, 2], [1, 2, 1], []]);
});

test("before a search by a person, new commits are read", async () => {
  await using project = projectWithHistory();
  await project.asPerson("why was it removed");
  const added = project.commit("Move the sluice to the north");
  expect((await project.asPerson("why did the sluice move")).map(({ source_id }) => source_id)).toContain(
    added,
  );
});

test("all sources are synced without commits until a question has asked for them", async () => {
  await using project = projectWithHistory();
  const before = (await project.sync()).map(({ source }) => source);
  await project.asPerson("why was it removed");
  const after = (await project.sync()).map(({ source }) => source);
  expect([before, after]).toEqual([["filesystem:project"], ["filesystem:project", "commits:project"]]);
});

test("the newest commits are read up to a limit, and 0 turns the source off", async () => {
  await using project = projectWithHistory({ connectors: { commits: { project: { max_commits: 1 } } } });
  const [one] = await project.sync({ target: "commits" });
  project.configure({ connectors: { commits: { project: { max_commits: 0 } } } });
  const [none] = await project.sync({ target: "commits" });
  expect([one?.found, none?.found, none?.removed]).toEqual([1, 0, 1]);
});

describe("unusual repositories", () => {
  test("a repository without a commit has no documents", async () => {
    await using project = documentsProject();
    gitIn(project.root, "init", "-q");
    const [report] = await project.sync({ target: "commits" });
    expect([report?.status, report?.found]).toEqual(["ok", 0]);
  });

  test("a secret or an invisible character in a message is not stored, and a long list of files is cut", async () => {
    await using project = projectWithHistory();
    for (let at = 0; at < 60; at++) project.write(`many/${at}.txt`, String(at));
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const hash = project.commit(`Many files\u200b\n\ntoken ${secret}`);
    await project.sync({ target: "commits" });
    const [hit] = await project.search("many files", { filters: { source: "commits:project" } });
    const { body, source_id } = await project.get(hit?.id ?? "");
    expect(source_id).toBe(hash);
    expect(body).not.toMatch(/ghp_|\u200b/);
    expect(body).toMatch(/^Many files\n[\s\S]*and 20 more files$/);
  });

  test("of a directory inside a repository only its own commits are read", async () => {
    await using project = projectWithHistory({ connectors: { commits: { src: { root: "src" } } } });
    project.write("src/a.ts", "1");
    const hash = project.commit("Touch the source");
    const [report] = await project.sync({ target: "commits:src" });
    expect(report).toMatchObject({ status: "ok", found: 3 });
    expect((await project.search("who touched the source"))[0]?.source_id).toBe(hash);
  });

  test("a project's file cannot name a repository outside the project", () => {
    const table = { connectors: { commits: { other: { root: "../other" } } } };
    expect(Config.safeParse(table).success).toBe(true);
    expect(() => refuseInProject(table, { root: "/project", ownFile: "config.toml" })).toThrow(
      "connectors.commits.other.root cannot lead out of the project",
    );
  });
});
