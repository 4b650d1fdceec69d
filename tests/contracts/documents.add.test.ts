import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { openDocuments } from "../../src/capabilities/documents/index.ts";
import { loadConfig } from "../../src/core/config/load.ts";
import { type Call, invoke } from "../../src/core/tool.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A project whose configuration is read from its files at every call. */
function openProject(files: Readonly<Record<string, string>>) {
  const dir = tempDir();
  const root = join(dir.path, "project");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const env = { CONTEXTFUL_CONFIG: join(dir.path, "config") };
  const machine = testMachine(root, { now: () => new Date(), env, config: () => loadConfig({ root, env }) });
  const door = openDocuments(machine);
  const call = async (name: string, input: unknown = {}, given: Partial<Call> = {}) => {
    const tool = door.tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke(tool, input, testCall({ caller: "person", ...given }));
  };
  const found = async (query: string) =>
    (await door.search({ query, mode: "keyword", limit: 12, filters: {} })).map(({ source_id }) => source_id);
  const close = async () => {
    await door.close?.();
    dir[Symbol.dispose]();
  };
  const read = () => readFileSync(join(root, "contextful.toml"), "utf8");
  return { root, door, call, found, read, [Symbol.asyncDispose]: close };
}

const OFFLINE = '[embedding]\nprovider = "disabled"\n';
const FILES = {
  "contextful.toml": OFFLINE,
  "README.md": "# Shop\n\nHerons are welcome.",
  "docs/deploy.html": "<h1>Deploy</h1><p>Herons deploy on Fridays.</p>",
  "packages/cart/README.md": "The cart of herons.",
  "src/notes.md": "No heron of the documents.",
};

describe("the documents of a project", () => {
  test("its docs folder, root documents and READMEs are a source", async () => {
    await using project = openProject(FILES);
    expect(await project.call("documents_sync")).toMatchObject({
      sources: [{ source: "filesystem:project", status: "ok", written: 3 }],
    });
    expect((await project.found("herons")).toSorted()).toEqual([
      "README.md",
      "docs/deploy.html",
      "packages/cart/README.md",
    ]);
  });

  test("a server syncs that source by itself", async () => {
    await using project = openProject(FILES);
    const stop = new AbortController();
    void project.door.startBackground?.(stop.signal);
    await expect.poll(() => project.found("herons"), { timeout: 30_000 }).toHaveLength(3);
    stop.abort();
  });

  test.each([
    ["that reads a part of it", "docs", ["README.md", "deploy.html", "packages/cart/README.md"]],
    [
      "that reads all of it",
      ".",
      ["README.md", "docs/deploy.html", "packages/cart/README.md", "src/notes.md"],
    ],
  ])("it stays beside a connector %s, and no document is found twice", async (_which, root, expected) => {
    const section = `[connectors.filesystem.own]\nroot = "${root}"\ninclude = ["**/*.md", "**/*.html"]\n`;
    await using project = openProject({ ...FILES, "contextful.toml": `${OFFLINE}\n${section}` });
    await project.call("documents_sync");
    expect((await project.found("heron")).toSorted()).toEqual(expected);
  });

  test("it can be switched off, and leaves when its last file does", async () => {
    const other = '[connectors.filesystem.notes]\nroot = "src"\n';
    await using project = openProject({ ...FILES, "contextful.toml": `${OFFLINE}\n${other}` });
    const labels = async () => {
      const { sources } = (await project.call("context.sources")) as { sources: { name: string }[] };
      return sources.map(({ name }) => name);
    };
    expect(await labels()).toEqual(["filesystem:notes", "filesystem:project"]);
    await project.call("documents_sync");
    for (const path of ["README.md", "docs", "packages"])
      rmSync(join(project.root, path), { recursive: true });
    await project.door.bringUpToDate(testCall({ caller: "person" }));
    expect([await labels(), await project.found("heron")]).toEqual([["filesystem:notes"], ["notes.md"]]);
    const off = '[connectors.filesystem.project]\nroot = "."\ninclude = []\n';
    await using none = openProject({ ...FILES, "contextful.toml": `${OFFLINE}\n${off}` });
    await none.call("documents_sync");
    expect(await none.found("heron")).toEqual([]);
  });

  test("what git ignores is left out", async () => {
    await using project = openProject({ ...FILES, ".gitignore": "packages\n" });
    await project.call("documents_sync");
    expect(await project.found("herons")).not.toContain("packages/cart/README.md");
  });

  test("one without documents has no source, and the error says how to add one", async () => {
    await using project = openProject({ "contextful.toml": OFFLINE, "main.go": "package main" });
    await expect(project.call("documents_sync")).rejects.toMatchObject({
      message: expect.stringContaining("contextful documents add"),
    });
  });
});

describe("documents add", () => {
  test("it shows the change, asks, and writes nothing after a no or without an answer", async () => {
    await using project = openProject({ ...FILES, "notes/heron.txt": "A heron." });
    const plans: string[] = [];
    const confirm = async (plan: string) => {
      plans.push(plan);
      return false;
    };
    const refused = await project.call("documents_add", { source: "notes" }, { confirm });
    expect(refused).toMatchObject({ label: "filesystem:notes", written: false });
    expect(await project.call("documents_add", { source: "notes" })).toMatchObject({ written: false });
    expect(plans.join()).toContain("+[connectors.filesystem.notes]");
    expect(project.read()).toBe(OFFLINE);
  });

  test("what it writes is kept beside what was there, and the default source stays", async () => {
    await using project = openProject({ ...FILES, "notes/heron.txt": "A heron." });
    await project.call("documents_add", { source: "notes", yes: true });
    expect(project.read().startsWith(OFFLINE)).toBe(true);
    expect(await project.call("documents_sync")).toMatchObject({
      sources: [
        { source: "filesystem:notes", written: 1 },
        { source: "filesystem:project", written: 3 },
      ],
    });
    await expect(project.call("documents_add", { source: "notes", yes: true })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test.each([
    ["https://example.com/guide", { web: { "example.com": { pages: ["https://example.com/guide"] } } }],
    [
      "https://example.com/sitemap.xml",
      { web: { "example.com": { sitemap: "https://example.com/sitemap.xml" } } },
    ],
    [
      "git@example.com:team/handbook.git",
      { git: { handbook: { url: "git@example.com:team/handbook.git" } } },
    ],
  ])("%s becomes a source of its type", async (source, expected) => {
    await using project = openProject({ "contextful.toml": OFFLINE });
    await project.call("documents_add", { source, yes: true });
    expect(parse(project.read())).toMatchObject({ connectors: expected });
  });

  test("a directory outside the project, or that does not exist, is refused", async () => {
    await using project = openProject(FILES);
    await expect(project.call("documents_add", { source: "..", yes: true })).rejects.toMatchObject({
      message: expect.stringContaining("your own config.toml"),
    });
    await expect(project.call("documents_add", { source: "nowhere", yes: true })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(project.read()).toBe(OFFLINE);
  });
});
