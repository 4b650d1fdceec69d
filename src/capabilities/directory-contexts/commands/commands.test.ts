import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testCall, testMachine } from "../../../../tests/support/machine.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { type Call, invoke } from "../../../core/tool.ts";
import { openDirectoryContexts } from "../index.ts";

const FILES = {
  ".context.config.yaml": "min_tokens: 0\n",
  "README.md": "A shop.\n",
  "src/a.ts": 'import { b } from "../lib/b.ts";\nexport function a(): number { return b; }\n',
  "lib/b.ts": "export const b = 1;\n",
};
function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
/** Runs a command as the CLI would: its answer, what is shown, and the exit code. */
function open(root: string) {
  const { tools } = openDirectoryContexts(testMachine(root));
  return async (words: string, input: unknown = {}, overrides: Partial<Call> = {}) => {
    const tool = tools.find(({ command }) => command?.words === words);
    if (!tool) throw new Error(`no command ${words}`);
    const answer = await invoke(tool, input, testCall({ caller: "person", ...overrides }));
    return { answer, shown: tool.show(answer), exit: tool.command?.exitCode?.(answer) ?? 0 };
  };
}

test("status lists each directory and counts them", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  const run = open(dir.path);
  await run("init");
  appendFileSync(join(dir.path, "src/a.ts"), "//\n");
  rmSync(join(dir.path, "lib/.context.yaml"));
  const { answer, shown, exit } = await run("status");
  expect({ answer, exit }).toMatchObject({
    answer: {
      directories: [
        { scope: ".", state: "fresh", summary: "A shop." },
        { scope: "lib", state: "missing" },
        { scope: "src", state: "stale" },
      ],
      summary: { total: 3, tracked: 2, fresh: 1, stale: 1, missing: 1, skipped: 0 },
    },
    exit: 4,
  });
  expect(shown).toContain("3 directories: 1 fresh, 1 stale, 1 missing; 0 too small for a context.");
});

test("status exits with 4 if a context is missing, invalid or changed, and --stale lists only those", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  const run = open(dir.path);
  await run("init");
  expect(await run("status", { stale: true })).toMatchObject({
    exit: 0,
    answer: { ok: true, directories: [] },
    shown: "3 directories: 3 fresh, 0 stale, 0 missing; 0 too small for a context.",
  });
  appendFileSync(join(dir.path, "src/a.ts"), "//\n");
  write(dir.path, { "lib/.context.yaml": "nonsense\n", "new/c.ts": "" });
  const { answer, exit, shown } = await run("status", { stale: true });
  expect({ answer, exit }).toMatchObject({
    answer: {
      ok: false,
      directories: [
        { scope: "lib", state: "missing", problem: expect.stringContaining("invalid: ") },
        { scope: "new", state: "missing" },
        { scope: "src", state: "stale" },
      ],
      summary: { total: 4, fresh: 1, stale: 1, missing: 2 },
    },
    exit: 4,
  });
  expect(shown).toContain("contextful directories regen --stale");
});

test.skipIf(process.getuid?.() === 0)(
  "what may not be read or written is reported, and the rest goes on",
  async () => {
    using dir = tempDir();
    write(dir.path, { ...FILES, "closed/c.ts": "", "blind/d.ts": "", "AGENTS.md": "mine\n" });
    const run = open(dir.path);
    await run("init", { agents: true });
    for (const file of ["src/a.ts", "lib/b.ts", "blind/d.ts"]) appendFileSync(join(dir.path, file), "//\n");
    const reopen = () => {
      for (const path of ["closed", "blind", "lib"]) chmodSync(join(dir.path, path), 0o755);
    };
    using _ = { [Symbol.dispose]: reopen };
    for (const [path, mode] of Object.entries({ closed: 0, blind: 0o444, lib: 0o555, "AGENTS.md": 0 })) {
      chmodSync(join(dir.path, path), mode);
    }
    const failed = [{ scope: "lib", reason: "cannot be written (EACCES)" }];
    expect(await run("rehash")).toMatchObject({ answer: { rehashed: ["src"], failed }, exit: 1 });
    expect(await run("regen", { stale: true })).toMatchObject({
      answer: { failed, warnings: [expect.stringContaining("AGENTS.md is left alone")] },
      exit: 1,
    });
  },
);

describe("status --strict", () => {
  const HEAD = `version: 1\nlast_updated: now\nfingerprint: FRESH\nscope: src\nsummary: s\nmaintenance: m\n`;
  test.each([
    { what: "a valid context", yaml: HEAD, exit: 0, findings: [] },
    { what: "an invalid one", yaml: "x: 1\n", exit: 4, findings: ["error schema"] },
    { what: "a newer one", yaml: "version: 3\n", exit: 4, findings: ["error schema"] },
    {
      what: "an unknown nested key",
      yaml: `${HEAD}files: [{name: a.ts, purpose: p, size: 3}]\n`,
      exit: 4,
      findings: ["warning unknown-key"],
    },
    {
      what: "another scope",
      yaml: HEAD.replace("scope: src", "scope: lib"),
      exit: 4,
      findings: ["warning scope"],
    },
    {
      what: "files that do not exist, and files not listed",
      yaml: `${HEAD}files: [{name: gone.ts, purpose: p}]\n`,
      exit: 4,
      findings: ["warning phantom-file", "info unlisted-file"],
    },
    {
      what: "interfaces that do not exist",
      yaml: `${HEAD}interfaces: [{name: "gone(x)", description: d}, {name: POST /x, description: d}, {name: a(), description: d}]\n`,
      exit: 4,
      findings: ["warning phantom-interface"],
    },
    {
      what: "dependencies that differ",
      yaml: `${HEAD}dependencies: {internal: [elsewhere]}\n`,
      exit: 0,
      findings: ["info undeclared-dependency", "info unused-dependency"],
    },
  ])("$what", async ({ yaml, exit, findings }) => {
    using dir = tempDir();
    write(dir.path, FILES);
    const run = open(dir.path);
    await run("init");
    const fingerprint = /fingerprint: (.+)/.exec(
      readFileSync(join(dir.path, "src/.context.yaml"), "utf8"),
    )?.[1];
    write(dir.path, { "src/.context.yaml": yaml.replace("FRESH", fingerprint ?? "") });
    const { answer, exit: code } = await run("status", { strict: true });
    const found: { findings?: { level: string; rule: string }[] } = Object(answer);
    expect({ exit: code, findings: found.findings?.map(({ level, rule }) => `${level} ${rule}`) }).toEqual({
      exit,
      findings,
    });
  });

  const many = Array.from({ length: 600 }, (_, index) => [
    `part-${index}.js`,
    `/** ${"Told at length. ".repeat(3)} */\nexport default function () {}\n`,
  ]);
  test.each([
    { tree: "of some directories", files: FILES, fresh: 3 },
    { tree: "of one directory with more files than are listed", files: Object.fromEntries(many), fresh: 1 },
  ])("what init writes for a tree $tree has no findings", async ({ files, fresh }) => {
    using dir = tempDir();
    write(dir.path, files);
    const run = open(dir.path);
    await run("init", { full: true });
    expect((await run("status", { strict: true })).answer).toMatchObject({
      ok: true,
      summary: { fresh, missing: 0 },
      findings: [],
    });
  });
});

test("show prints the file as it is, and says what to do if there is none", async () => {
  using dir = tempDir();
  write(dir.path, { ...FILES, "src/.context.yaml": "# anything\n" });
  const run = open(dir.path);
  expect((await run("show", { dir: "src/" })).answer).toEqual({ scope: "src", text: "# anything\n" });
  await expect(run("show", { dir: "lib" })).rejects.toThrow("No .context.yaml in lib");
  await expect(run("show", { dir: "../.." })).rejects.toThrow("Not inside the project");
});

test("ignore adds one anchored line, once", async () => {
  using dir = tempDir();
  write(dir.path, { ...FILES, ".contextignore": "docs", "x/lib/c.ts": "", "we ird[1]/c.ts": "" });
  const run = open(dir.path);
  expect((await run("ignore", { dir: "lib" })).answer).toEqual({ pattern: "/lib/", added: true });
  expect((await run("ignore", { dir: "./lib/" })).answer).toEqual({ pattern: "/lib/", added: false });
  await run("ignore", { dir: "we ird[1]" });
  expect(readFileSync(join(dir.path, ".contextignore"), "utf8")).toBe("docs\n/lib/\n/we\\ ird\\[1\\]/\n");
  const { answer } = await run("status");
  expect(answer).toMatchObject({
    directories: [{ scope: "." }, { scope: "src" }, { scope: "x" }, { scope: "x/lib" }],
  });
  for (const dir of [".", "nowhere", "src/a.ts"]) {
    await expect(run("ignore", { dir })).rejects.toThrow("Not a directory inside");
  }
});

test.each([
  { what: "a link", make: (file: string) => symlinkSync("README.md", file), reason: "ELOOP" },
  { what: "not UTF-8", make: (file: string) => writeFileSync(file, Buffer.from([0xe9])), reason: "UTF-8" },
])("a .contextignore that is $what is an error", async ({ make, reason }) => {
  using dir = tempDir();
  write(dir.path, FILES);
  make(join(dir.path, ".contextignore"));
  await expect(open(dir.path)("status")).rejects.toThrow(new RegExp(`Invalid .contextignore: .*${reason}`));
});

test("a directory of a described project is not written as a root", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  await open(dir.path)("init");
  await expect(open(join(dir.path, "src"))("regen")).rejects.toThrow("src of a larger project");
});

test("watch reports a change of state and ends when stopped", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  const run = open(dir.path);
  await run("init");
  const stop = new AbortController();
  const said: unknown[] = [];
  const note = (line: string) => {
    said.push(line);
    appendFileSync(join(dir.path, "src/a.ts"), "//\n");
  };
  const emit = (change: unknown) => {
    said.push(change);
    stop.abort();
  };
  const { answer } = await run(
    "watch",
    { interval: 50 },
    { signal: stop.signal, progress: { report: () => {}, note }, emit },
  );
  expect({ said, answer }).toEqual({
    said: ["Watching 3 directories.", { scope: "src", state: "stale" }],
    answer: { changes: 1 },
  });
});

test("watch reports wrong settings and goes on", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  const run = open(dir.path);
  const stop = new AbortController();
  const said: unknown[] = [];
  const note = (line: string) => {
    said.push(line);
    if (line.startsWith("Watching")) write(dir.path, { ".context.config.yaml": "mode: hu" });
    else write(dir.path, { ...FILES, "new/c.ts": "" });
  };
  const emit = (change: unknown) => {
    said.push(change);
    stop.abort();
  };
  await run("watch", { interval: 50 }, { signal: stop.signal, progress: { report: () => {}, note }, emit });
  expect(said).toEqual([
    "Watching 3 directories.",
    expect.stringContaining("Invalid .context.config.yaml"),
    { scope: "new", state: "missing" },
  ]);
});

test("doctor gets one line about contexts", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  const { doctor } = openDirectoryContexts(testMachine(dir.path));
  expect(await doctor?.()).toMatchObject([{ state: "note", detail: expect.stringContaining("none yet") }]);
  await open(dir.path)("init");
  expect(await doctor?.()).toEqual([
    { name: "directory contexts", state: "ok", detail: "3 of 3 directories described, 0 need care" },
  ]);
  write(dir.path, { ".context.config.yaml": "nonsense: 1\n" });
  expect(await doctor?.()).toMatchObject([{ state: "problem", detail: expect.stringContaining("nonsense") }]);
});

test("summariesAbove gives the contexts between the root and files", async () => {
  using dir = tempDir();
  write(dir.path, { ...FILES, "src/deep/c.ts": "" });
  await open(dir.path)("init");
  rmSync(join(dir.path, "src/.context.yaml"));
  appendFileSync(join(dir.path, "lib/b.ts"), "//\n");
  const { summariesAbove } = openDirectoryContexts(testMachine(dir.path));
  const found = await summariesAbove(["lib/b.ts", "src/deep/c.ts", "src/deep/d.ts"], {
    signal: new AbortController().signal,
  });
  expect(found.map(({ scope, state }) => `${scope} ${state}`)).toEqual([
    ". fresh",
    "lib stale",
    "src/deep fresh",
  ]);
});

test("summariesAbove ends for a file below 1,500 levels of directories", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  await open(dir.path)("init");
  const levels = "d/".repeat(1500);
  mkdirSync(join(dir.path, levels), { recursive: true });
  const { summariesAbove } = openDirectoryContexts(testMachine(dir.path));
  const found = await summariesAbove([`${levels}end.ts`], { signal: new AbortController().signal });
  expect(found.map(({ scope }) => scope)).toEqual(["."]);
});

test("summariesAbove stops between two directories if it is cancelled", async () => {
  using dir = tempDir();
  write(dir.path, FILES);
  const { summariesAbove } = openDirectoryContexts(testMachine(dir.path));
  const cancel = new AbortController();
  const found = summariesAbove(["a/b/c/d.ts"], { signal: cancel.signal });
  cancel.abort();
  await expect(found).rejects.toBe(cancel.signal.reason);
});
