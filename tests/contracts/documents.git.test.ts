import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clonesDirectory } from "../../src/capabilities/documents/places.ts";
import { documentsProject, reasons } from "./documents-project.ts";
import { gitIn, gitRemote } from "./documents-sources.ts";

describe("git", () => {
  const config = (url: string, more: object = {}) => ({
    connectors: { git: { handbook: { url, ...more } } },
    embedding: { provider: "disabled" },
  });

  test("author, times and link come from the history of the file, also below a root", async () => {
    using repository = gitRemote();
    const commit = (name: string, date: string) => {
      gitIn(repository.work, "add", "-A");
      gitIn(
        repository.work,
        "-c",
        `user.name=${name}`,
        "commit",
        "-q",
        `--author=${name} <a@b.c>`,
        `--date=${date}`,
        "-m",
        "x",
      );
    };
    mkdirSync(join(repository.work, "docs"));
    writeFileSync(join(repository.work, "docs", "a.md"), "heron");
    commit("Ada", "2026-01-01T00:00:00Z");
    writeFileSync(join(repository.work, "docs", "b.md"), "stork");
    commit("Ben", "2026-01-02T00:00:00Z");
    repository.git("push", "-q", "origin", "main");
    const shaOf = (path: string) => repository.git("log", "-1", "--format=%H", "--", path).trim();
    const timeOf = (path: string) => Number(repository.git("log", "-1", "--format=%ct", "--", path));
    await using project = documentsProject(config(repository.remote, { root: "docs/" }));
    await project.sync();
    const [heron] = await project.search("heron");
    const document = await project.get(heron?.id ?? "");
    expect(document).toMatchObject({
      source_id: "a.md",
      author: "Ada",
      updated_at: new Date(timeOf("docs/a.md") * 1_000).toISOString().replace(".000", ""),
      source_url: `git://${repository.remote}/docs/a.md`,
      content_type: "text/plain",
      metadata: { git_sha: shaOf("docs/a.md"), repo_url: repository.remote },
    });
    expect(await project.get((await project.search("stork"))[0]?.id ?? "")).toMatchObject({ author: "Ben" });
  });

  test("a shallow clone fetches only contents that are read, and later only what changed", async () => {
    using repository = gitRemote();
    gitIn(repository.remote, "config", "uploadpack.allowFilter", "true");
    gitIn(repository.remote, "config", "uploadpack.allowAnySHA1InWant", "true");
    writeFileSync(join(repository.work, "a.md"), "heron");
    writeFileSync(join(repository.work, "big.bin"), "x".repeat(100_000));
    repository.publish();
    await using project = documentsProject(config(`file://${repository.remote}`));
    const [first] = await project.sync();
    writeFileSync(join(repository.work, "b.md"), "stork");
    repository.publish();
    const [second] = await project.sync();
    const [clone = ""] = readdirSync(clonesDirectory(project.machine));
    const inClone = join(clonesDirectory(project.machine), clone);
    const absent = gitIn(inClone, "rev-list", "--objects", "--missing=print", "main").match(/^\?/gm);
    expect(absent).toHaveLength(1);
    expect([
      [first?.status, first?.written],
      [second?.status, second?.written, second?.unchanged],
      await project.found("heron"),
      await project.found("stork"),
    ]).toEqual([["ok", 1], ["ok", 1, 1], ["a.md"], ["b.md"]]);
  });

  test("a rewritten branch is followed", async () => {
    using repository = gitRemote();
    writeFileSync(join(repository.work, "a.md"), "heron");
    repository.publish();
    await using project = documentsProject(config(repository.remote));
    await project.sync();
    renameSync(join(repository.work, "a.md"), join(repository.work, "b.md"));
    repository.git("add", "-A");
    repository.git("commit", "-q", "--amend", "-m", "again");
    repository.git("push", "-q", "--force", "origin", "main");
    await project.sync();
    expect(await project.found("heron")).toEqual(["b.md"]);
  });

  test("restored content belongs to the commit that restored it", async () => {
    using repository = gitRemote();
    const publish = (text: string) => {
      writeFileSync(join(repository.work, "a.md"), text);
      repository.publish();
    };
    publish("heron");
    await using project = documentsProject(config(repository.remote));
    await project.sync();
    publish("stork");
    publish("heron");
    await project.sync();
    const [hit] = await project.search("heron");
    expect((await project.get(hit?.id ?? "")).metadata["git_sha"]).toBe(
      repository.git("rev-parse", "HEAD").trim(),
    );
  });

  test("the history is read once per state of the branch", async () => {
    using repository = gitRemote();
    writeFileSync(join(repository.work, "a.md"), "heron");
    repository.publish();
    await using project = documentsProject(config(repository.remote));
    await project.sync();
    const clones = clonesDirectory(project.machine);
    const kept = readdirSync(clones, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.includes("history"),
    );
    const file = join(clones, kept[0] ?? "");
    const author = async () => (await project.get((await project.search("heron"))[0]?.id ?? "")).author;
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("Ada", "Kept"));
    await project.sync({ full: true });
    const remembered = await author();
    writeFileSync(file, "spoiled");
    await project.sync({ full: true });
    expect([kept.length, remembered, await author()]).toEqual([1, "Kept", "Ada"]);
  });

  test("the clone of a removed address is deleted", async () => {
    using repository = gitRemote();
    writeFileSync(join(repository.work, "a.md"), "heron");
    repository.publish();
    await using project = documentsProject(config(repository.remote));
    await project.sync();
    const before = readdirSync(clonesDirectory(project.machine));
    project.configure(config(`file://${repository.remote}`));
    await project.sync();
    const after = readdirSync(clonesDirectory(project.machine));
    expect([before.length, after.length, after.includes(before[0] ?? "")]).toEqual([1, 1, false]);
  });

  test("git errors are reported without git's advice", async () => {
    await using project = documentsProject(config("/nowhere/x.git"));
    const [report] = await project.sync();
    expect(reasons(report)[""]).toMatch(/fatal: .*does not appear to be a git repository/);
    project.configure(config("./nowhere/x.git"));
    const said = JSON.stringify([await project.sync(), await project.call("context.sources")]);
    expect([said.includes("'./nowhere/x.git' does not appear"), said.includes(project.root)]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    "ext::sh -c touch% canary",
    "--upload-pack=touch canary",
    "ssh://-oProxyCommand=touch/x",
    "git://example.org/x",
    "",
  ])("the address %j is refused, and nothing runs", async (url) => {
    await using project = documentsProject(config(url));
    const [report] = await project.sync();
    expect([report?.status, reasons(report)[""]]).toEqual([
      "failed",
      expect.stringMatching(/not an address/),
    ]);
  });

  test.each(["-x", "a..b", "a b", ""])("the branch %j is refused", async (branch) => {
    await using project = documentsProject(config("/nowhere/x.git", { branch }));
    const [report] = await project.sync();
    expect([report?.status, reasons(report)[""]]).toEqual(["failed", expect.stringMatching(/not a branch/)]);
  });

  test("a missing directory or branch is reported without the password", async () => {
    using repository = gitRemote();
    writeFileSync(join(repository.work, "a.md"), "heron");
    repository.publish();
    await using project = documentsProject({
      connectors: {
        git: {
          branch: { url: repository.remote, branch: "none" },
          place: { url: repository.remote, root: "nowhere" },
          secret: { url: "https://user:hunter2@127.0.0.1:9/x.git" },
        },
      },
    });
    const said = JSON.stringify([await project.sync(), await project.call("context.sources")]);
    expect(said).toContain("no directory nowhere");
    expect(said).not.toContain("hunter2");
  });
});
