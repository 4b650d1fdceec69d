import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { testCall, testMachine } from "../../../../tests/support/machine.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { type Call, invoke } from "../../../core/tool.ts";
import { openDirectoryContexts } from "../index.ts";
import { parseContext } from "../read/read-context.ts";
import { GenerationReport } from "../reports.ts";

const ALL = { ".context.config.yaml": "min_tokens: 0\n" };

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
function open(root: string, now = "2026-01-02T03:04:05.000Z") {
  const { tools } = openDirectoryContexts(testMachine(root, { now: () => new Date(now) }));
  return async (name: string, input: unknown = {}, overrides: Partial<Call> = {}) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke(tool, input, testCall({ caller: "person", ...overrides }));
  };
}
/** Does something while a run is about to describe the root, when the rest is planned and nothing is written. */
const meanwhile = (act: () => void): Partial<Call> => ({
  progress: { note: () => {}, report: ({ done, total }) => (done + 1 === total ? act() : undefined) },
});
const textOf = (root: string, scope: string) => readFileSync(join(root, scope, ".context.yaml"), "utf8");
const contextOf = (root: string, scope: string) => {
  const reading = parseContext(textOf(root, scope));
  return reading.kind === "read" ? reading.context : reading;
};
const States = z.object({ entries: z.array(z.object({ scope: z.string(), state: z.string() })) });
const statesOf = async (run: ReturnType<typeof open>) =>
  States.parse(await run("list_contexts")).entries.map(({ scope, state }) => `${scope} ${state}`);
const report = async (run: ReturnType<typeof open>, name: string, input: unknown = {}) =>
  GenerationReport.parse(await run(name, input));

const PROJECT = {
  ...ALL,
  "package.json": JSON.stringify({
    name: "shop",
    description: "A small shop. It sells things.",
    packageManager: "pnpm@9.0.0",
    scripts: { test: "vitest run" },
    dependencies: { hono: "4.0.0" },
    devDependencies: { typescript: "6.0.0" },
  }),
  "tsconfig.json": "{}",
  "src/orders/index.ts":
    '/** Takes orders and keeps them. */\n\nimport { price } from "../prices/price.ts";\n/** Places an order. */\nexport function place(id: string): number { return price(id); }\nexport const SECRET = "hunter2";\n',
  "src/orders/index.test.ts": "test('x', () => {});\n",
  "src/prices/price.ts":
    "/** The price of a thing. */\n\nexport const price = (id: string): number => id.length;\n",
  "docs/guide.md": "# The guide\n",
};

test("after init everything is fresh, and AGENTS.md lists it if that was asked for", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const run = open(dir.path);
  expect(await report(run, "directories_init", { agents: true })).toEqual({
    root: dir.path,
    dry_run: false,
    created: [".", "docs", "src", "src/orders", "src/prices"],
    updated: [],
    unchanged: 0,
    kept: [],
    left_out: [],
    skipped: [],
    failed: [],
    agents_md: "written",
    warnings: [],
  });
  expect(await statesOf(run)).toEqual([
    ". fresh",
    "docs fresh",
    "src fresh",
    "src/orders fresh",
    "src/prices fresh",
  ]);
  expect(readFileSync(join(dir.path, "AGENTS.md"), "utf8")).toContain(
    "| `src/orders` | Takes orders and keeps them. |",
  );
});

/** Large enough for a context, without a word about what it is for. */
const silent = (name: string) => ({
  [`${name}/a.ts`]: `export const a = 1;\n${"// x\n".repeat(20)}`,
  [`${name}/b.ts`]: "export const b = 2;\n",
  [`${name}/c.ts`]: "export const c = 3;\n",
  [`${name}/d.ts`]: "export const d = 4;\n",
});
const Status = z.object({
  directories: z.array(z.object({ scope: z.string(), state: z.string() })),
  ok: z.boolean(),
});
const README = "# Net\n\nTalks to all peers.\n";

test("a directory whose files do not say what it is for gets no context, and is not missing", async () => {
  using dir = tempDir();
  write(dir.path, {
    ".context.config.yaml": "min_tokens: 1\n",
    "README.md": "A small shop.\n",
    ...silent("src/mixed"),
    "src/mixed/net/README.md": README,
    "src/mixed/net/a.ts": "export const a = 1;\n",
  });
  const run = open(dir.path);
  const status = async () => Status.parse(await run("directories_status"));
  expect(await report(run, "directories_init")).toMatchObject({
    created: [".", "src/mixed/net"],
    left_out: ["src/mixed"],
  });
  expect(existsSync(join(dir.path, "src/mixed/.context.yaml"))).toBe(false);
  expect(contextOf(dir.path, ".")).toMatchObject({
    subdirectories: [{ name: "src/mixed/net/", summary: "Talks to all peers." }],
    structure: [{ path: "src/mixed/net", summary: "Talks to all peers." }],
  });
  expect(await status()).toMatchObject({
    ok: true,
    directories: [{ scope: "." }, { scope: "src/mixed/net" }],
  });
  expect(await report(run, "directories_regen", { stale: true })).toMatchObject({ created: [], updated: [] });

  write(dir.path, { "src/mixed/README.md": "Pays and refunds money.\n" });
  expect(await status()).toMatchObject({ ok: false });
  expect(await report(run, "directories_regen", { stale: true })).toMatchObject({
    created: ["src/mixed"],
    updated: ["."],
    left_out: [],
  });
});

test("a directory that the user names or wants to keep gets a short context", async () => {
  using dir = tempDir();
  write(dir.path, {
    ".context.config.yaml": "min_tokens: 1\n",
    "README.md": "A small shop.\n",
    ".contextignore": "!kept/\n",
    ...silent("kept"),
    ...silent("named"),
    ...silent("other"),
  });
  const run = open(dir.path);
  expect(await report(run, "directories_init")).toMatchObject({
    created: [".", "kept"],
    left_out: ["named", "other"],
  });
  expect(await report(run, "directories_regen", { dir: "named" })).toMatchObject({ created: ["named"] });
  expect(contextOf(dir.path, "named")).toMatchObject({ summary: "4 TypeScript files (derived)." });
  expect(await report(run, "directories_regen")).toMatchObject({ left_out: ["other"] });
});

test("status does not read a directory again whose files have the same fingerprint", async () => {
  using dir = tempDir();
  const README_FILE = join(dir.path, "net/README.md");
  write(dir.path, {
    ".context.config.yaml": "min_tokens: 1\n",
    "README.md": "A small shop.\n",
    ...silent("net"),
  });
  const run = open(dir.path);
  await run("directories_init");
  const time = new Date("2026-01-01T00:00:00.000Z");
  const states = async (readme: string) => {
    write(dir.path, { "net/README.md": readme });
    utimesSync(README_FILE, time, time);
    return Status.parse(await run("directories_status")).directories.map(({ scope }) => scope);
  };
  expect(await states(README)).toEqual([".", "net"]);
  expect(await states(README.replace(/[a-z]/gi, "#"))).toEqual([".", "net"]);
  expect(await states("")).toEqual(["."]);
});

test("after a small change, regeneration changes only what the change is about", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  await open(dir.path)("directories_init");
  const changed = PROJECT["src/orders/index.ts"].replace("place(id: string)", "place(id: string, count = 1)");
  write(dir.path, { "src/orders/index.ts": changed });
  const { diff = "" } = await report(open(dir.path, "2026-02-03T04:05:06.000Z"), "directories_regen", {
    dry_run: true,
  });
  const lines = diff.split("\n").filter((line) => /^[+-]/.test(line));
  expect(lines.map((line) => line.replace(/fingerprint: .*/, "fingerprint"))).toEqual([
    "--- a/src/orders/.context.yaml",
    "+++ b/src/orders/.context.yaml",
    "-last_updated: 2026-01-02T03:04:05.000Z",
    "-fingerprint",
    "+last_updated: 2026-02-03T04:05:06.000Z",
    "+fingerprint",
    '-  - "place(id: string): number"',
    '+  - "place(id: string, count = 1): number"',
  ]);
});

test("init writes context files and touches nothing else, unless its question is answered with yes", async () => {
  using dir = tempDir();
  write(dir.path, { ...PROJECT, "AGENTS.md": "# Mine\n", "CLAUDE.md": "@AGENTS.md\n" });
  const others = () =>
    readdirSync(dir.path, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(dir.path, name)).isFile() && !name.endsWith(".context.yaml"))
      .map((name) => [name, readFileSync(join(dir.path, name), "utf8")]);
  const before = others();
  const run = open(dir.path);
  await run("directories_init");
  const asked: string[] = [];
  const answering = (answer: boolean) => ({
    confirm: async (_plan: string, question: string) => {
      asked.push(question);
      return answer;
    },
  });
  await run("directories_init", {}, answering(false));
  expect([asked, others()]).toEqual([["Write it to AGENTS.md?"], before]);
  expect(await run("directories_init", {}, answering(true))).toMatchObject({ agents_md: "written" });
  await run("directories_init", {}, answering(true));
  expect(asked).toHaveLength(2);
});

test("a lean context says what its directory is for, offers and needs", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  await open(dir.path)("directories_init");
  expect(contextOf(dir.path, "src/orders")).toEqual({
    version: 1,
    last_updated: "2026-01-02T03:04:05.000Z",
    fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
    scope: "src/orders",
    summary: "Takes orders and keeps them.",
    maintenance: expect.stringContaining("contextful directories regen"),
    dependencies: { internal: ["src/prices"] },
    exports: ["place(id: string): number", "const SECRET"],
    derived_fields: [
      "version",
      "last_updated",
      "fingerprint",
      "scope",
      "summary",
      "maintenance",
      "dependencies.internal",
      "exports",
    ],
  });
  expect(contextOf(dir.path, ".")).toMatchObject({
    summary: "A small shop. It sells things.",
    testing: ["pnpm test"],
    project: {
      name: "shop",
      description: "A small shop. It sells things.",
      language: "typescript",
      framework: "hono",
      package_manager: "pnpm",
    },
    structure: [
      { path: "docs", summary: "1 file (derived)." },
      { path: "src", summary: "Source code of shop: A small shop (derived)." },
      { path: "src/orders", summary: "Takes orders and keeps them." },
      { path: "src/prices", summary: "The price of a thing." },
    ],
  });
});

test("a full context adds files with their tests, interfaces and external dependencies", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  await open(dir.path)("directories_init", { full: true });
  expect(contextOf(dir.path, "src/orders")).toMatchObject({
    files: [{ name: "index.ts", purpose: "Takes orders and keeps them.", test_file: "index.test.ts" }],
    interfaces: [{ name: "place(id: string): number", description: "Places an order." }],
    testing: ["index.test.ts"],
  });
  expect(contextOf(dir.path, ".")).toMatchObject({
    dependencies: { external: ["hono 4.0.0", "typescript 6.0.0 (dev)"] },
  });
  await open(dir.path)("directories_regen");
  expect(contextOf(dir.path, "src/orders")).toMatchObject({ files: [{ name: "index.ts" }] });
});

test("the same tree gives the same bytes, and an unchanged context is not written again", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  await open(dir.path)("directories_init", { agents: true });
  const first = textOf(dir.path, "src/orders");
  const again = await report(open(dir.path, "2027-01-01T00:00:00.000Z"), "directories_regen");
  expect(again).toMatchObject({ created: [], updated: [], unchanged: 5, agents_md: "unchanged" });
  expect(textOf(dir.path, "src/orders")).toBe(first);
});

test("regeneration keeps what people wrote, with its comments, and says so", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const run = open(dir.path);
  await run("directories_init");
  const file = join(dir.path, "src/orders/.context.yaml");
  const edited = textOf(dir.path, "src/orders")
    .replace(/summary: .*/, "summary: The heart of the shop. # mine")
    .replace("  - summary\n", "")
    .concat("# because:\ndecisions:\n  - what: no floats\n    why: money\n");
  writeFileSync(file, edited);
  write(dir.path, { "src/orders/more.ts": "export function cancel(): void {}\n" });
  expect(await report(run, "directories_regen", { dir: "src/orders" })).toMatchObject({
    updated: ["src/orders"],
    kept: [{ scope: "src/orders", fields: ["summary", "decisions"] }],
    agents_md: "skipped",
  });
  const after = textOf(dir.path, "src/orders");
  expect(after).toContain("summary: The heart of the shop. # mine\n");
  expect(after).toContain("# because:\ndecisions:\n  - what: no floats\n    why: money\n");
  expect(contextOf(dir.path, "src/orders")).toMatchObject({
    exports: ["place(id: string): number", "const SECRET", "cancel(): void"],
  });
});

test("what people write during a run is merged or left alone", async () => {
  using dir = tempDir();
  write(dir.path, { ...PROJECT, "AGENTS.md": "# Mine\n" });
  const run = open(dir.path);
  await run("directories_init", { agents: true });
  write(dir.path, {
    "src/orders/more.ts": "export function cancel(): void {}\n",
    "docs/more.md": "# More\n",
  });
  const edit = () => {
    appendFileSync(join(dir.path, "src/orders/.context.yaml"), "todos:\n  - mine\n");
    appendFileSync(join(dir.path, "AGENTS.md"), "Mine too.\n");
    write(dir.path, { "docs/.context.yaml": "half typed: [" });
  };
  expect(await run("directories_regen", {}, meanwhile(edit))).toMatchObject({
    updated: expect.arrayContaining(["src/orders"]),
    skipped: [{ scope: "docs", reason: expect.stringContaining("changed meanwhile") }],
  });
  expect(contextOf(dir.path, "src/orders")).toMatchObject({
    todos: ["mine"],
    exports: expect.arrayContaining(["cancel(): void"]),
  });
  expect(textOf(dir.path, "docs")).toBe("half typed: [");
  expect(readFileSync(join(dir.path, "AGENTS.md"), "utf8")).toMatch(/^# Mine\n[\s\S]*Mine too\.\n$/);
});

test("a run that is stopped before it writes has written nothing", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const stop = new AbortController();
  const stopping = { ...meanwhile(() => stop.abort()), signal: stop.signal };
  await expect(open(dir.path)("directories_init", {}, stopping)).rejects.toThrow("aborted");
  expect([existsSync(join(dir.path, "AGENTS.md")), existsSync(join(dir.path, "src/.context.yaml"))]).toEqual([
    false,
    false,
  ]);
});

test("the context of a directory with thousands of files can be read again", async () => {
  using dir = tempDir();
  const named = (place: number) => `docs/a-fixture-with-a-rather-long-name-${place}.json`;
  write(dir.path, ALL);
  write(dir.path, Object.fromEntries(Array.from({ length: 2_000 }, (_, place) => [named(place), "{}"])));
  await open(dir.path)("directories_init", { full: true });
  expect(contextOf(dir.path, "docs")).toMatchObject({ version: 1, scope: "docs" });
});

test("a root whose files changed while it was described is stale", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const run = open(dir.path);
  await run(
    "directories_init",
    {},
    meanwhile(() => write(dir.path, { "late.ts": "export const late = 1;\n" })),
  );
  expect(await statesOf(run)).toContain(". stale");
});

test("what cannot be written is reported, and the rest is written", async () => {
  using dir = tempDir();
  write(dir.path, { ...PROJECT, "docs/.context.yaml/in-the-way": "" });
  expect(await report(open(dir.path), "directories_regen", { force: true })).toMatchObject({
    created: [".", "src", "src/orders", "src/prices"],
    failed: [{ scope: "docs", reason: expect.stringContaining("cannot be written") }],
  });
});

test("a context written by hand without derived_fields loses nothing", async () => {
  using dir = tempDir();
  const mine = `version: 1
last_updated: long ago
fingerprint: "00000000"
scope: src
summary: Mine.
maintenance: Mine too.
exports: [mine()]
dependencies:
  internal: [inDocuments]
`;
  write(dir.path, { ...ALL, "src/.context.yaml": mine, "src/a.ts": "export const a = 1;\n" });
  await open(dir.path)("directories_init");
  expect(contextOf(dir.path, "src")).toMatchObject({
    summary: "Mine.",
    maintenance: "Mine too.",
    exports: ["mine()"],
    dependencies: { internal: ["inDocuments"] },
    derived_fields: ["version", "last_updated", "fingerprint", "scope"],
  });
});

test("newer, invalid and linked files are left alone; force replaces only the invalid", async () => {
  using dir = tempDir();
  const root = join(dir.path, "project");
  write(root, { ...ALL, "newer/a.ts": "", "broken/a.ts": "", "linked/a.ts": "" });
  write(root, { "newer/.context.yaml": "version: 2\n", "broken/.context.yaml": "summary: [\n" });
  write(dir.path, { "outside.yaml": "mine\n" });
  symlinkSync(join(dir.path, "outside.yaml"), join(root, "linked/.context.yaml"));
  const run = open(root);
  const { skipped } = await report(run, "directories_regen");
  expect(skipped.map(({ scope }) => scope)).toEqual(["broken", "linked", "newer"]);
  await run("directories_regen", { force: true });
  expect([textOf(root, "newer"), readFileSync(join(dir.path, "outside.yaml"), "utf8")]).toEqual([
    "version: 2\n",
    "mine\n",
  ]);
  expect(contextOf(root, "broken")).toMatchObject({ version: 1 });
});

test("a dry run writes nothing and prints a diff", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const { diff, agents_md } = await report(open(dir.path), "directories_init", {
    dry_run: true,
    agents: true,
  });
  expect(agents_md).toBe("would be written");
  expect(diff).toContain("+++ b/src/orders/.context.yaml");
  expect(diff).toContain("+summary: Takes orders and keeps them.");
  expect(existsSync(join(dir.path, ".context.yaml"))).toBe(false);
  expect(existsSync(join(dir.path, "AGENTS.md"))).toBe(false);
});

test("--stale writes only stale contexts, and the root stays fresh when AGENTS.md changes", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const run = open(dir.path);
  await run("directories_init", { agents: true });
  write(dir.path, {
    "src/prices/price.ts": "/** What a thing costs today. */\n\nexport const price = () => 1;\n",
  });
  expect(await report(run, "directories_regen", { stale: true })).toMatchObject({
    updated: [".", "src", "src/prices"],
    agents_md: "written",
  });
  expect((await statesOf(run)).filter((state) => !state.endsWith("fresh"))).toEqual([]);
  expect(contextOf(dir.path, "src")).toMatchObject({
    subdirectories: [{ name: "orders/" }, { name: "prices/", summary: "What a thing costs today." }],
  });
});

test("rehash sets fingerprints and nothing else", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const run = open(dir.path);
  await run("directories_init");
  const before = textOf(dir.path, "docs");
  appendFileSync(join(dir.path, "docs/guide.md"), "more\n");
  expect(await run("directories_rehash")).toEqual({
    root: dir.path,
    rehashed: ["docs"],
    fresh: 4,
    failed: [],
  });
  const line = /fingerprint: .*/;
  expect(textOf(dir.path, "docs").replace(line, "")).toBe(before.replace(line, ""));
  expect(await statesOf(run)).toContain("docs fresh");
});

test("what a killed process left behind is removed once it is old", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  const [old, young] = ["src/..context.yaml.0123456789ab.tmp", "src/..context.yaml.ba9876543210.tmp"];
  write(dir.path, { [old]: "", [young]: "" });
  const now = Date.parse("2026-01-02T03:04:05Z") / 1000;
  utimesSync(join(dir.path, old), now - 61, now - 61);
  utimesSync(join(dir.path, young), now - 1, now - 1);
  const run = open(dir.path);
  await run("directories_init");
  expect([existsSync(join(dir.path, old)), existsSync(join(dir.path, young))]).toEqual([false, true]);
  expect(await statesOf(run)).toContain("src fresh");
});

test("a directory that cannot have a context is named in the error", async () => {
  using dir = tempDir();
  write(dir.path, PROJECT);
  await expect(open(dir.path)("directories_regen", { dir: "nowhere" })).rejects.toThrow(
    "No directory for a context: nowhere",
  );
});

test("in a clone, status is ok because the content is unchanged; after an edit it is not", async () => {
  using dir = tempDir();
  const [origin, clone] = [join(dir.path, "origin"), join(dir.path, "clone")];
  write(origin, PROJECT);
  await open(origin)("directories_init");
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd });
  git(origin, "init", "--quiet");
  git(origin, "add", "--all");
  git(origin, "commit", "--quiet", "-m", "first");
  git(dir.path, "clone", "--quiet", origin, clone);
  const run = open(clone);
  expect(await run("check_freshness", { scope: "src/orders" })).toMatchObject({ content_changed: false });
  expect(await run("directories_status", { stale: true })).toMatchObject({
    ok: true,
    summary: { total: 5 },
    directories: [],
  });
  appendFileSync(join(clone, "src/prices/price.ts"), "// edited\n");
  expect(await run("directories_status", { stale: true })).toMatchObject({
    ok: false,
    directories: [{ scope: "src/prices", state: "stale", content_changed: true }],
  });
});
