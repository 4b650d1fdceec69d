import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadTokenizer } from "../../src/core/tokens/tokenizer.ts";
import { madeUp } from "../support/made-up.ts";
import { PROJECT, packsProject } from "./packs-project.ts";

const Freshness = z.object({ fingerprint: z.object({ computed: z.string() }) });

test("touching a file does not change the pack", async () => {
  await using project = packsProject();
  const { fingerprint } = Freshness.parse(await project.call("check_freshness", { scope: "send" }));
  const path = "send/.context.yaml";
  project.write(path, PROJECT[path]?.replace("00000000", fingerprint.computed) ?? "");
  project.git("commit", "-qam", "written anew");
  await project.fill();
  const { pack_id } = await project.pack({});
  const later = new Date("2100-01-01");
  for (const file of ["go.mod", "send/send.go", "docs/relay.md"])
    utimesSync(join(project.root, file), later, later);
  expect(await project.call("pack_verify", { pack_id })).toMatchObject({ same: true, pack_id_now: pack_id });
});

describe("verify names the room that changed", () => {
  test("when the work state is set", async () => {
    await using project = packsProject();
    await project.fill();
    await project.call("context_update_state", { current_task: "the relay" });
    const { pack_id } = await project.pack({});
    await project.call("context_update_state", { current_task: "the queue" });
    expect(await project.call("pack_verify", { pack_id })).toMatchObject({
      same: false,
      rooms_changed: ["team-memory"],
      changed: ["memory:state"],
    });
  });

  test("when a cache is rebuilt; its documents are cited as cache documents, not as files", async () => {
    await using project = packsProject({ "runbooks/busy.md": "Retry when the relay is busy.\n" });
    const build = () =>
      project.call("caches_build", {
        sources: join(project.root, "runbooks"),
        cache: join(project.root, ".context-caches/runbooks"),
        force: true,
      });
    mkdirSync(join(project.root, ".context-caches"));
    await build();
    const { pack_id, items } = await project.pack({ rooms: ["context-caches"] });
    expect(items.map(({ path, freshness }) => [path, freshness])).toEqual([
      [expect.stringMatching(/^cache:runbooks\/.+/), "not checked"],
    ]);
    project.write("runbooks/busy.md", "Retry twice when the relay is busy.\n");
    await build();
    expect(await project.call("pack_verify", { pack_id })).toMatchObject({
      same: false,
      rooms_changed: ["context-caches"],
    });
  });
});

test("a summary that is folded over two lines is given whole", async () => {
  await using project = packsProject();
  await project.fill();
  const { items } = await project.pack({ rooms: ["directory-contexts"] });
  const summary = items.find(({ path }) => path === "send/.context.yaml");
  expect(summary).toMatchObject({ text: "summary: Delivers mail\n  through the relay." });
});

test("a document is marked as changed only if its text changed", async () => {
  const text = (name: string) => `# Relay ${name}\n\nRetry when the relay is busy, says ${name}.\n`;
  await using project = packsProject({
    ...PROJECT,
    "contextful.toml": '[connectors.filesystem.docs]\nroot = "docs"\ninclude = ["**/*"]\n',
    "docs/plain.md": text("plain"),
    "docs/mark.md": `\ufeff${text("mark")}`,
    "docs/secret.md": `${text("secret")}password = "${madeUp(24)}"\n`,
    "docs/page.html": "<h1>Relay page</h1><p>Retry when the relay is busy, says page.</p>",
    "docs/changed.md": text("changed"),
  });
  writeFileSync(join(project.root, "docs/wide.txt"), `\ufeff${text("wide")}`, "utf16le");
  await project.fill();
  project.write("docs/changed.md", `${text("changed")}More.\n`);
  const { items } = await project.pack({ rooms: ["documents"] });
  expect(Object.fromEntries(items.map(({ path, freshness }) => [path, freshness]))).toEqual({
    "docs/plain.md": "fresh",
    "docs/relay.md": "fresh",
    "docs/mark.md": "fresh",
    "docs/secret.md": "fresh",
    "docs/wide.txt": "fresh",
    "filesystem:docs/page.html": "not checked",
    "docs/changed.md": "changed since indexed",
  });
});

test("a document with Windows line ends keeps its headings", async () => {
  const unix = "# Relay\n\n## Busy relays\nRetry when the relay is busy.\n";
  await using project = packsProject({ ...PROJECT, "docs/relay.md": unix.replaceAll("\n", "\r\n") });
  await project.fill();
  const { items } = await project.pack({ rooms: ["documents"] });
  expect(items.map(({ title }) => title)).toEqual(["Relay: Busy relays"]);
});

test("the receipt reports a cache that cannot be used", async () => {
  await using project = packsProject({ ".context-caches/runbooks/manifest.json": "{}\n" });
  const { receipt } = await project.pack({ rooms: ["context-caches"] });
  expect(receipt.empty_rooms).toEqual([
    {
      room: "context-caches",
      reason: "one cache cannot be used",
      command: "contextful caches build --sources DIR --cache .context-caches/NAME --force",
    },
  ]);
});

test("a project without code and without an index gets a pack from its texts", async () => {
  await using project = packsProject({
    "relay.md": "# Relay\n\nRetry the delivery when the relay is busy.\n",
    "deploy/relay.yaml": "relay:\n  retry: busy\n",
    ".context-teleport/knowledge/relay.md": "Retry when the relay is busy.\n",
  });
  const { items, receipt } = await project.pack({ rooms: ["code-index"] });
  expect(items.map(({ kind, path }) => [kind, path]).sort()).toEqual([
    ["code", "deploy/relay.yaml"],
    ["document", "relay.md"],
  ]);
  expect(receipt.empty_rooms).toEqual([
    { room: "code-index", reason: "no source code here, found by names and text only" },
  ]);
});

test("a task whose words are nowhere gives a short pack that says so", async () => {
  await using project = packsProject();
  await project.fill();
  const { items, tokens, markdown } = await project.pack({
    task: "qqq zzz wibble blorp",
    rooms: ["code-index"],
    budget: 8000,
  });
  expect(items).toEqual([]);
  expect(tokens).toBeLessThan(200);
  expect(markdown).toContain("nothing in the code has enough of this task");
});

test.each([
  "purple elephant juggling quantum bananas underwater",
  "grandmother knits woollen socks for the purple penguin orchestra",
])("nonsense with some words of the code gives a short pack that says so: %s", async (task) => {
  const fruit = (index: number) =>
    `// Fruit${index} counts the bananas of crate ${index}.\nfunc Fruit${index}(crates []int) int {\n\tpurple := crates[${index}]\n\treturn purple + ${index}\n}\n`;
  await using project = packsProject({
    "contextful.toml": '[connectors.filesystem.docs]\nroot = "docs"\n',
    "go.mod": "module example.org/fruit\n",
    "fruit.go": `package fruit\n\n${Array.from({ length: 90 }, (_, at) => fruit(at)).join("\n")}`,
    "docs/crates.md": `# Crates\n\n${"Ripe bananas turn from green to purple in the crate.\n\n".repeat(40)}`,
  });
  await project.call("index_codebase", { path: project.root });
  await project.call("documents_sync", {});
  const { items, tokens, markdown } = await project.pack({ task, budget: 4000 });
  expect(items).toEqual([]);
  expect(tokens).toBeLessThan(250);
  expect(markdown).toContain("nothing in the code has enough of this task");
});

test("the function to edit is whole, first and before its tests", async () => {
  const step = (index: number) => `    print_rule(${index})`;
  const test = (index: number) =>
    `def test_routes_${index}(app):\n    assert "routes" in invoke(app, ["routes", "${index}"]).output\n`;
  await using project = packsProject({
    "cli.py": `import click\n\n\n@click.command("routes", short_help="Show the routes for the app.")\n@click.option("--sort")\ndef routes_command(sort):\n    """Show all registered routes."""\n${Array.from({ length: 50 }, (_, at) => step(at)).join("\n")}\n`,
    "tests/test_cli.py": Array.from({ length: 40 }, (_, at) => test(at)).join("\n"),
  });
  await project.call("index_codebase", { path: project.root });
  const { items } = await project.pack({ task: "add a --json flag to the routes command", budget: 2000 });
  expect(items[0]).toMatchObject({ title: "routes_command", size: "whole", path: "cli.py" });
  expect(items[0]?.text).toContain("def routes_command(sort):");
  const tests = items.filter(({ path }) => path.startsWith("tests/"));
  expect(tests.length).toBeGreaterThan(0);
  const tokens = tests.reduce((sum, { text }) => sum + count(text), 0);
  expect(tokens).toBeLessThanOrEqual(2000 / 5);
});

test("tests inside a source file are tests", async () => {
  const test = (index: number) =>
    `    #[test]\n    fn shows_routes_${index}() {\n        assert!(routes_command("routes", ${index}).has("routes"));\n    }\n`;
  await using project = packsProject({
    "src/cli.rs": `/// Shows all routes.\nfn routes_command(sort: &str) -> Rules {\n    rules(sort)\n}\n\n#[cfg(test)]\nmod tests {\n${Array.from({ length: 60 }, (_, at) => test(at)).join("\n")}}\n`,
  });
  await project.call("index_codebase", { path: project.root });
  const { items } = await project.pack({ task: "add a --json flag to the routes command", budget: 2000 });
  expect(items[0]).toMatchObject({ title: "routes_command", size: "whole", path: "src/cli.rs" });
  const tests = items.filter(({ title }) => title.startsWith("shows_routes"));
  expect(tests.length).toBeGreaterThan(0);
  expect(tests.reduce((sum, { text }) => sum + count(text), 0)).toBeLessThanOrEqual(2000 / 5);
});

test("a method stands for itself, and its class ends before its first method", async () => {
  const method = (at: number) =>
    `    def part_${at}(self):\n${Array.from({ length: 8 }, (_, line) => `        self.letters.append(${line})`).join("\n")}\n`;
  await using project = packsProject({
    "envelope.py": `class Envelope:\n    """An envelope holds letters."""\n\n    size = 3\n\n${Array.from({ length: 6 }, (_, at) => method(at)).join("\n")}\n    def seal(self):\n        self.wax = "red"\n`,
  });
  await project.call("index_codebase", { path: project.root });
  const { items } = await project.pack({ task: "seal the envelope with wax", budget: 1000 });
  const texts = new Map(items.map(({ title, text }) => [title, text]));
  expect(texts.get("seal")).toContain('self.wax = "red"');
  expect(texts.get("Envelope")).not.toContain("def part_0");
});

test("a long task finds its code, although any code has few of its words", async () => {
  await using project = packsProject({
    "relay.go":
      "package relay\n\n// Forward passes a letter to the harbour.\nfunc Forward(letter string) string {\n\treturn letter\n}\n",
  });
  await project.call("index_codebase", { path: project.root });
  const story =
    "Yesterday three people complained about slow replies, wrong invoices, missing parcels and noise";
  const task = `${`${story}. `.repeat(6)} The harbour must forward every letter.`;
  expect((await project.pack({ task, budget: 2000 })).items.map(({ title }) => title)).toContain("Forward");
});

const count = await loadTokenizer();

test("several earlier packs are left out at once", async () => {
  await using project = packsProject();
  await project.fill();
  const first = await project.pack({ budget: 600 });
  const second = await project.pack({ budget: 600, except: [first.pack_id] });
  const third = await project.pack({ except: [first.pack_id, second.pack_id] });
  const given = new Set([...first.items, ...second.items].map(({ id }) => id));
  expect(second.items.length).toBeGreaterThan(0);
  expect(third.items.filter(({ id }) => given.has(id))).toEqual([]);
});
