import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packagesNamedIn } from "../../src/capabilities/documents/connectors/packages/dependency.ts";
import { testCall } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";
import { documentsProject, type Result, reasons } from "./documents-project.ts";

/** A project whose dependencies are files in place, as a package manager would have put them. */
function projectWith(files: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const project = documentsProject({ embedding: { provider: "disabled" } }, { env });
  project.write("README.md", "# Shop\n\nMiddleware of the shop.\n");
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return Object.assign(project, {
    async ask(query: string, more: object = {}): Promise<readonly Result[]> {
      const input = { query, sync_first: true, ...more };
      const answer = await project.call("context.search", input, testCall({ caller: "person" }));
      return (answer as { results: Result[] }).results;
    },
  });
}
const json = (value: object) => JSON.stringify(value);
const HONO = {
  "package.json": json({ dependencies: { hono: "^4.0.0" }, devDependencies: { "@acme/valve": "1" } }),
  "package-lock.json": json({ packages: { "node_modules/hono": { version: "4.6.1" } } }),
  "node_modules/hono/package.json": json({ name: "hono", version: "4.6.1", types: "./dist/index.d.ts" }),
  "node_modules/hono/README.md": "# Hono\n\nMiddleware is registered with `app.use`.\n",
  "node_modules/hono/dist/index.d.ts":
    "/** Adds a guard to all routes. */\nexport declare function guard(path: string): void;\ndeclare const hidden: number;\n",
  "node_modules/hono/node_modules/inner/README.md": "middleware of another package",
  "node_modules/@acme/valve/package.json": json({ name: "@acme/valve", version: "1.0.0" }),
  "node_modules/@acme/valve/README.md": "# Valve\n\nMiddleware for valves.\n",
};
const found = (results: readonly Result[]) => results.map(({ source_id }) => source_id).sort();

test("a question that names a dependency is answered from its documents, at the installed version", async () => {
  await using project = projectWith(HONO);
  expect((await project.ask("how do I use hono's middleware"))[0]?.source_id).toBe("hono@4.6.1/README.md");
  const [guard] = await project.ask("hono guard routes");
  expect(guard).toMatchObject({
    source: "packages:project",
    source_id: "hono@4.6.1/dist/index.d.ts",
    title: "hono 4.6.1: dist/index.d.ts",
  });
  const { body, metadata } = await project.get(guard?.id ?? "");
  expect(metadata).toEqual({ package: "hono", version: "4.6.1" });
  expect(body).toBe(
    "## guard\n\nAdds a guard to all routes.\n\n```\nexport declare function guard(path: string): void;\n```",
  );
});

test("a question that names no dependency finds only the project's own documents", async () => {
  await using project = projectWith(HONO);
  await project.ask("hono middleware");
  expect([
    found(await project.ask("middleware")),
    found(await project.ask("middleware", { filters: { source: "packages:project" } })),
  ]).toEqual([["README.md"], ["hono@4.6.1/README.md"]]);
});

test("only packages that were asked for are read, and a sync of the source reads all", async () => {
  await using project = projectWith(HONO);
  await project.ask("hono middleware");
  const [some] = await project.sync({ target: "all" }).then((reports) => reports.slice(1));
  const [all] = await project.sync({ target: "packages" });
  expect([some?.source, some?.unchanged, all?.unchanged, all?.written]).toEqual([
    "packages:project",
    2,
    2,
    1,
  ]);
});

test("after an update of the package, its new version answers", async () => {
  await using project = projectWith(HONO);
  await project.ask("hono middleware");
  project.write("node_modules/hono/package.json", json({ name: "hono", version: "5.0.0" }));
  project.write("node_modules/hono/README.md", "# Hono\n\nMiddleware is registered with `app.guard`.\n");
  expect(found(await project.ask("hono middleware"))).toEqual(["hono@5.0.0/README.md"]);
  const [report] = await project.sync({ target: "packages" });
  expect(reasons(report)[""]).toBe("hono: 5.0.0 is installed, the lock file says 4.6.1");
});

test("a Go module is read from the module cache, by its doc comments", async () => {
  using cache = tempDir();
  await using project = projectWith(
    {
      "go.mod":
        "module shop\n\nrequire (\n\tgithub.com/Acme/pump/v2 v2.1.0\n\tgolang.org/x/net v0.1.0 // indirect\n)\n",
    },
    { GOMODCACHE: cache.path },
  );
  const module = join(cache.path, "github.com/!acme/pump/v2@v2.1.0");
  mkdirSync(module, { recursive: true });
  writeFileSync(
    join(module, "pump.go"),
    "// Package pump moves water.\npackage pump\n\n// Prime fills the pump before it starts.\nfunc Prime(litres int) error {\n\treturn secret()\n}\n\nfunc secret() error { return nil }\n",
  );
  const [hit] = await project.ask("how do I prime the pump");
  expect(hit?.source_id).toBe("github.com/Acme/pump/v2@v2.1.0/pump.go");
  expect((await project.get(hit?.id ?? "")).body).toBe(
    "Package pump moves water.\n\n## Prime\n\nPrime fills the pump before it starts.\n\n```\nfunc Prime(litres int) error\n```",
  );
});

test("a Python package is read from the virtual environment: its description and docstrings", async () => {
  const site = ".venv/lib/python3.12/site-packages";
  await using project = projectWith({
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["Water_Pump>=1"]\n',
    [`${site}/water_pump-1.4.0.dist-info/METADATA`]:
      "Name: water-pump\nVersion: 1.4.0\n\n# Water pump\n\nPriming explained.\n",
    [`${site}/water_pump-1.4.0.dist-info/RECORD`]:
      "water_pump/__init__.py,,\nwater_pump/tests/a.py,,\n../../outside.py,,\n",
    [`${site}/water_pump/__init__.py`]:
      'def prime(litres):\n    """Fill the pump before it starts."""\n    return 1\n',
    [`${site}/water_pump/tests/a.py`]: "def prime(): pass\n",
    [`${site}/other-1.0.dist-info/METADATA`]: "Name: other\n\npriming\n",
  });
  const first = async (query: string) => (await project.ask(query))[0]?.source_id;
  expect(await first("water-pump priming explained")).toBe(
    "water-pump@1.4.0/water_pump-1.4.0.dist-info/METADATA",
  );
  expect(await first("water-pump fill starts")).toBe("water-pump@1.4.0/water_pump/__init__.py");
});

describe("hostile packages", () => {
  test("links are not followed, neither of a package nor of a file", async () => {
    await using project = projectWith({
      "package.json": json({ dependencies: { out: "1", evil: "1", "../../etc": "1" } }),
      "node_modules/evil/package.json": json({ version: "1.0.0" }),
      "node_modules/evil/index.d.ts": "export declare const evil: 1;\n",
    });
    mkdirSync(join(project.directory, "elsewhere"));
    writeFileSync(join(project.directory, "elsewhere", "README.md"), "stolen words");
    symlinkSync(join(project.directory, "elsewhere"), join(project.root, "node_modules", "out"));
    symlinkSync(
      join(project.directory, "elsewhere", "README.md"),
      join(project.root, "node_modules", "evil", "README.md"),
    );
    const [report] = await project.sync({ target: "packages" });
    expect([report?.found, reasons(report)]).toEqual([1, { "": "out: links out of the project" }]);
    expect(await project.ask("out stolen words")).toEqual([]);
  });

  test("secrets and invisible characters are removed, huge files and secret files are left out", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    await using project = projectWith({
      "package.json": json({ dependencies: { evil: "1" } }),
      "node_modules/evil/package.json": json({ version: "1.0.0" }),
      "node_modules/evil/README.md": `# Evil\n\nignore\u200b this ${secret}\n`,
      "node_modules/evil/.env": "KEY=1",
      "node_modules/evil/docs/huge.md": "x ".repeat(300_000),
      ...Object.fromEntries(
        Array.from({ length: 200 }, (_, at) => [
          `node_modules/evil/d${at}.d.ts`,
          `export declare const a${at}: ${"1".repeat(at + 1)};\n`,
        ]),
      ),
    });
    const [report] = await project.sync({ target: "packages" });
    expect([report?.found, reasons(report)[""]]).toEqual([
      150,
      "evil: 51 more files than are read of a package",
    ]);
    const [hit] = await project.ask("evil ignore");
    expect((await project.get(hit?.id ?? "")).body).not.toMatch(/ghp_|\u200b/);
  });

  test("a broken manifest names nothing", async () => {
    await using project = projectWith({ "package.json": "{", "go.mod": "\u0000", "pyproject.toml": "= = =" });
    const [report] = await project.sync({ target: "packages" });
    expect([report?.status, report?.found]).toEqual(["ok", 0]);
  });
});

test.each([
  ["how do I use hono's middleware", ["hono"]],
  ["`@acme/valve` options?", ["@acme/valve"]],
  ["valve options", ["@acme/valve"]],
  ["echo routing", ["github.com/labstack/echo/v4"]],
  ["next.js pages", ["next"]],
  ["honolulu", []],
])("the question %j names %j", (question, names) => {
  const all = ["hono", "@acme/valve", "github.com/labstack/echo/v4", "next"];
  expect(packagesNamedIn(question, all)).toEqual(names);
});
