import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { openApp, openMachine } from "../../src/app.ts";
import { withDefaultSources } from "../../src/capabilities/documents/default-source.ts";
import { projectDirectory } from "../../src/capabilities/documents/places.ts";
import { Config } from "../../src/core/config/config.ts";
import { acquireLock } from "../../src/core/lock/lock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { invoke } from "../../src/core/tool.ts";
import { testCall } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

const WORDS_ONLY = '[embedding]\nprovider = "disabled"\n';
const CONFIGURED = `${WORDS_ONLY}[connectors.filesystem.notes]\nroot = "notes"\n`;
const Found = z.object({ results: z.array(z.object({ source_id: z.string() })) });

/** A project and the real app over it. */
function openProject(settings = WORDS_ONLY) {
  const directory = tempDir();
  const root = join(directory.path, "project");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("contextful.toml", settings);
  write("main.go", "package main\n\nfunc Main() {}\n");
  execFileSync("git", ["init", "-q"], { cwd: root });
  const env = { CONTEXTFUL_HOME: join(directory.path, "home") };
  const app = openApp(openMachine({ root, env, logger: silentLogger }));
  const stop = new AbortController();
  const call = (name: string, input: object, given = testCall()) => {
    const tool = app.tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke(tool, input, given);
  };
  const search = async (query: string) => {
    const notices: string[] = [];
    const notice = (text: string) => void notices.push(text);
    const { results } = Found.parse(await call("context.search", { query }, testCall({ notice })));
    return { paths: results.map(({ source_id }) => source_id).sort(), notices };
  };
  return {
    root,
    machine: app.machine,
    write,
    call,
    search,
    serve: () => app.startBackground(stop.signal),
    /** The files of an answer that claims to be up to date. On a busy machine an earlier one may say that it is behind. */
    async found(query: string): Promise<readonly string[]> {
      for (;;) {
        const { paths, notices } = await search(query);
        if (notices.length === 0) return paths;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await app.close();
      directory[Symbol.dispose]();
    },
  };
}

describe.each([
  ["a server", false],
  ["a server that watches the code", true],
])("%s", (_what, isWatching) => {
  test("finds new, edited, renamed and deleted documents of the project with the next search", async () => {
    await using project = openProject();
    project.write("README.md", "# Shop\n\nAbout lamps.\n");
    project.serve();
    if (isWatching) await project.call("index_codebase", { path: project.root });
    expect(await project.found("lamps")).toEqual(["README.md"]);
    project.write("docs/deep/zebra.md", "# Zebras\n\nStripes everywhere.\n");
    expect(await project.found("stripes")).toEqual(["docs/deep/zebra.md"]);
    project.write("docs/deep/zebra.md", "# Zebras\n\nHooves now.\n");
    expect(await project.found("stripes")).toEqual([]);
    expect(await project.found("hooves")).toEqual(["docs/deep/zebra.md"]);
    project.write("docs/deep/okapi.md", "# Okapis\n\nShy animals.\n");
    expect(await project.found("shy")).toEqual(["docs/deep/okapi.md"]);
    renameSync(join(project.root, "docs/deep"), join(project.root, "docs/animals"));
    expect(await project.found("shy")).toEqual(["docs/animals/okapi.md"]);
    rmSync(join(project.root, "docs"), { recursive: true });
    expect(await project.found("shy")).toEqual([]);
    rmSync(join(project.root, "README.md"));
    expect(await project.found("lamps")).toEqual([]);
  });
});

test("a server follows a configured directory of the project, also if git ignores it", async () => {
  await using project = openProject(CONFIGURED);
  project.write(".gitignore", "notes/\n");
  project.write("notes/a.md", "# Lamps\n");
  project.serve();
  await project.call("index_codebase", { path: project.root });
  expect(await project.found("lamps")).toEqual(["a.md"]);
  project.write("notes/b.md", "# More lamps\n");
  expect(await project.found("lamps")).toEqual(["a.md", "b.md"]);
});

test("an answer that lacks changes says so, and a later one has them", async () => {
  await using project = openProject();
  project.write("README.md", "# Lamps\n");
  project.serve();
  expect(await project.found("lamps")).toEqual(["README.md"]);
  const lock = await acquireLock({
    directory: projectDirectory(project.machine),
    name: "documents",
    purpose: "a test",
  });
  project.write("docs/b.md", "# More lamps\n");
  expect(await project.search("lamps")).toEqual({
    paths: ["README.md"],
    notices: [expect.stringContaining("not in this answer yet")],
  });
  lock.release();
  expect(await project.found("lamps")).toEqual(["README.md", "docs/b.md"]);
});

test("a process that does not serve reads no documents unless it is told to", async () => {
  await using project = openProject();
  project.write("README.md", "# Lamps\n");
  expect(await project.search("lamps")).toEqual({ paths: [], notices: [] });
  const asPerson = testCall({ caller: "person" });
  const answer = await project.call("context.search", { query: "lamps", sync_first: true }, asPerson);
  expect(Found.parse(answer).results).toMatchObject([{ source_id: "README.md" }]);
});

test("a home directory has no documents by default", () => {
  using directory = tempDir();
  writeFileSync(join(directory.path, "README.md"), "# Mine\n");
  const config = Config.parse({});
  expect(withDefaultSources(config, directory.path)).not.toBe(config);
  vi.stubEnv("HOME", directory.path);
  try {
    expect(withDefaultSources(config, directory.path)).toBe(config);
  } finally {
    vi.unstubAllEnvs();
  }
});
