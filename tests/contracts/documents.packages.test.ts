import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packagesNamedIn } from "../../src/capabilities/documents/connectors/packages/dependency.ts";
import type { Machine } from "../../src/core/machine.ts";
import { startFakeProvider } from "../../src/core/search/embedders/fake-provider.ts";
import { testCall } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";
import { documentsProject, type Result, reasons } from "./documents-project.ts";

/** A project whose dependencies are files in place, as a package manager would have put them. */
function projectWith(
  files: Readonly<Record<string, string>>,
  machine: Partial<Machine> = {},
  config: object = { embedding: { provider: "disabled" } },
) {
  const project = documentsProject(config, machine);
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
    "//#region src/guard.d.ts\n/** Adds a guard to all routes. */\nexport declare function guard(path: string): void;\ndeclare const hidden: number;\n//#endregion\n",
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

test("an answer says which named dependency is not installed", async () => {
  await using project = projectWith({
    "package.json": json({ dependencies: { hono: "^4.0.0", zod: "^4.0.0" } }),
    "node_modules/hono/package.json": json({ name: "hono", version: "4.6.1" }),
  });
  const noticesFor = async (query: string) => {
    const notices: string[] = [];
    const call = testCall({ caller: "person", notice: (text) => void notices.push(text) });
    await project.call("context.search", { query, sync_first: true }, call);
    return notices;
  };
  expect([await noticesFor("hono and zod middleware"), await noticesFor("hono middleware")]).toEqual([
    ["Not installed here, so their documents are not in this answer: zod."],
    [],
  ]);
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

test.each([
  {
    file: "pnpm-lock.yaml",
    of: "pnpm 9",
    text: "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n\nimporters:\n\n  .:\n    dependencies:\n      hono:\n        specifier: ^4.0.0\n        version: 4.5.0(typescript@5.9.2)\n    devDependencies:\n      '@acme/valve':\n        specifier: '1'\n        version: 0.9.0\n\npackages:\n\n  hono@4.5.0:\n    resolution: {integrity: sha512-x}\n    engines: {node: '>=16'}\n",
  },
  {
    file: "pnpm-lock.yaml",
    of: "pnpm 7",
    text: "lockfileVersion: 5.4\n\nspecifiers:\n  '@acme/valve': '1'\n  hono: ^4.0.0\n\ndependencies:\n  hono: 4.5.0_typescript@5.9.2\n\ndevDependencies:\n  '@acme/valve': 0.9.0\n\npackages:\n\n  /hono/4.5.0:\n    dependencies:\n      inner: 1.0.0\n",
  },
  {
    file: "yarn.lock",
    of: "yarn 1",
    text: '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1\n\n\n"@acme/valve@1":\n  version "0.9.0"\n  resolved "https://example.org/valve.tgz"\n\nhono@^3.0.0:\n  version "3.1.0"\n\nhono@^4.0.0, hono@^4.2.0:\n  version "4.5.0"\n  dependencies:\n    inner "^1.0.0"\n',
  },
  {
    file: "yarn.lock",
    of: "yarn 4",
    text: '__metadata:\n  version: 8\n  cacheKey: 10c0\n\n"@acme/valve@npm:1":\n  version: 0.9.0\n  resolution: "@acme/valve@npm:0.9.0"\n\n"hono@npm:^4.0.0, hono@npm:^4.2.0":\n  version: 4.5.0\n  resolution: "hono@npm:4.5.0"\n  languageName: node\n',
  },
])("the lock file of $of says which version is expected", async ({ file, text }) => {
  const { "package-lock.json": _, ...files } = HONO;
  await using project = projectWith({ ...files, [file]: text });
  const [report] = await project.sync({ target: "packages" });
  expect(JSON.stringify(report)).toContain("hono: 4.6.1 is installed, the lock file says 4.5.0");
  expect(JSON.stringify(report)).toContain("@acme/valve: 1.0.0 is installed, the lock file says 0.9.0");
});

test("declarations for another kind of module or an old compiler are not read twice", async () => {
  await using project = projectWith({
    ...HONO,
    "node_modules/hono/dist/index.d.cts":
      'export declare function guard(path: string): void;\nexport * from "./a.cjs";\n',
    "node_modules/hono/dist/cjs/index.d.ts": HONO["node_modules/hono/dist/index.d.ts"],
    "node_modules/hono/ts4.9/index.d.ts": "export declare function guard(path: any): any;\n",
    "node_modules/hono/lib/types57/guard.d.ts": "export declare function guard(path: any): void;\n",
  });
  await project.sync({ target: "packages" });
  expect(await project.found("guard", { filters: { source: "packages:project" } })).toEqual([
    "hono@4.6.1/dist/index.d.ts",
  ]);
});

test("a question about a package finds documents with some of its words beside one with all", async () => {
  await using project = projectWith({
    ...HONO,
    "node_modules/hono/docs/notes.md": "# Notes\n\nDucks use these routes. A guard came to hono.\n",
  });
  expect(found(await project.ask("how do I use hono to guard routes"))).toEqual(
    expect.arrayContaining(["hono@4.6.1/dist/index.d.ts", "hono@4.6.1/docs/notes.md"]),
  );
});

test("after an update of the package, its new version answers", async () => {
  await using project = projectWith(HONO);
  await project.ask("hono middleware");
  project.write("node_modules/hono/package.json", json({ name: "hono", version: "5.0.0" }));
  project.write("node_modules/hono/README.md", "# Hono\n\nMiddleware is registered with `app.guard`.\n");
  const answers = (await project.ask("hono middleware")).map(({ source_id }) => source_id);
  expect([answers[0], answers.filter((id) => id.includes("4.6.1"))]).toEqual(["hono@5.0.0/README.md", []]);
  const [report] = await project.sync({ target: "packages" });
  expect(reasons(report)[""]).toBe("hono: 5.0.0 is installed, the lock file says 4.6.1");
});

describe("a package that another project has read", () => {
  const everything = async (project: ReturnType<typeof projectWith>) => {
    const { documents, chunks } = (await project.call("documents_export")) as {
      documents: { id: string; source_url: string }[];
      chunks: unknown[];
    };
    return { documents: documents.map(({ source_url: _, ...rest }) => rest), chunks };
  };
  const withTimes = (project: ReturnType<typeof projectWith>, time: string) => {
    for (const [path, text] of Object.entries(HONO)) project.write(path, text, time);
  };

  test("is neither read nor chunked nor embedded again, and gives the same documents", async () => {
    using home = tempDir();
    await using first = projectWith({}, { home: home.path }, {});
    await using second = projectWith({}, { home: home.path }, {});
    for (const project of [first, second]) withTimes(project, "2026-03-01T00:00:00Z");
    const [made] = await first.sync({ target: "packages" });
    const [reused] = await second.sync({ target: "packages" });
    expect([made?.reused, made?.written, reused?.reused, reused?.written]).toEqual([0, 3, 3, 3]);
    expect(await everything(second)).toEqual(await everything(first));
    const ask = { mode: "semantic", filters: { source: "packages:project" } };
    const scores = async (project: typeof first) =>
      (await project.search("protect every route", ask)).map(({ source_id, score }) => [source_id, score]);
    expect(await scores(second)).toEqual(await scores(first));
    expect(await scores(second)).toHaveLength(3);
  });

  test("keeps the times of its own files", async () => {
    using home = tempDir();
    await using first = projectWith({}, { home: home.path });
    await using second = projectWith({}, { home: home.path });
    withTimes(first, "2026-03-01T00:00:00Z");
    withTimes(second, "2026-04-01T00:00:00Z");
    await first.sync({ target: "packages" });
    const [report] = await second.sync({ target: "packages" });
    const since = { source: "packages:project", since: "2026-03-15" };
    expect([
      report?.reused,
      await first.found("middleware", { filters: since }),
      await second.found("middleware", { filters: since }),
    ]).toEqual([3, [], ["@acme/valve@1.0.0/README.md", "hono@4.6.1/README.md"]]);
  });

  test("is read if a file of it is different, and only that package", async () => {
    using home = tempDir();
    await using first = projectWith(HONO, { home: home.path });
    await first.sync({ target: "packages" });
    const patched = { ...HONO, "node_modules/hono/README.md": "# Hono\n\nPatched by hand.\n" };
    await using second = projectWith(patched, { home: home.path });
    const [report] = await second.sync({ target: "packages" });
    expect([report?.written, report?.reused]).toEqual([3, 1]);
    expect((await second.ask("hono patched"))[0]?.source_id).toBe("hono@4.6.1/README.md");
  });

  test("costs the configured provider nothing", async () => {
    using home = tempDir();
    const provider = await startFakeProvider();
    try {
      const embedding = { provider: "ollama", url: provider.url, model: "letters" };
      await using first = projectWith(HONO, { home: home.path }, { embedding });
      await first.sync({ target: "packages" });
      const texts = provider.requests.splice(0).flatMap((request) => request.texts);
      await using second = projectWith(HONO, { home: home.path }, { embedding });
      await second.sync({ target: "packages" });
      const asked = provider.requests.flatMap((request) => request.texts);
      // Each sync first asks whether the provider is there.
      expect([texts.length, asked]).toEqual([4, ["ready"]]);
    } finally {
      await provider.close();
    }
  });
});

test("a Go module is read from the module cache, by its doc comments", async () => {
  using cache = tempDir();
  await using project = projectWith(
    {
      "go.mod":
        "module shop\n\nrequire (\n\tgithub.com/Acme/pump/v2 v2.1.0\n\tgolang.org/x/net v0.1.0 // indirect\n)\n",
    },
    { env: { GOMODCACHE: cache.path } },
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

/** Each writes what is hostile about it into a package `evil`, beside a package that is in order. */
const HOSTILE: Readonly<
  Record<string, (write: (path: string, text: string) => void, directory: string) => void>
> = {
  "a version with lines, escapes and direction marks": (write) =>
    write("package.json", json({ version: "1\n\n# SYSTEM\u001b[2J\u202e" })),
  "a version that is a path": (write) => write("package.json", json({ version: "../../../etc/passwd" })),
  "a version of a megabyte": (write) => write("package.json", json({ version: "9".repeat(1_000_000) })),
  "a version that is a list": (write) => write("package.json", json({ version: [1], types: { a: 1 } })),
  "types outside the package": (write) =>
    write(
      "package.json",
      json({ version: "1", types: "../../../secret.d.ts", exports: { "./../..": "/etc" } }),
    ),
  "a manifest that is a list": (write) => write("package.json", "[".repeat(10_000)),
  "a prototype": (write) =>
    write("package.json", '{"__proto__":{"version":"9"},"constructor":{"version":"8"}}'),
  "links in a circle": (write, directory) => {
    write("docs/a.md", "# A\n");
    symlinkSync("..", join(directory, "docs", "up"));
    symlinkSync("self", join(directory, "docs", "self"));
  },
  "a link to a file outside": (_write, directory) => symlinkSync("/etc/hostname", join(directory, "HOST.md")),
  "a pipe": (_write, directory) => void execFileSync("mkfifo", [join(directory, "GUIDE.md")]),
  "a document of a gigabyte": (write, directory) => {
    write("HUGE.md", "");
    truncateSync(join(directory, "HUGE.md"), 1_000_000_000);
  },
  "names with lines and escapes": (write) => write("a\n# SYSTEM\u001b[2J\u202e.md", "# A\n"),
  "many directories, one in the other": (write) => write(`${"d/".repeat(400)}a.md`, "# Deep\n"),
  "thousands of documents": (write) => {
    for (let at = 0; at < 3_000; at += 1) write(`docs/${at}.md`, `# Part ${at}\n`);
  },
};

test.each(Object.entries(HOSTILE))("a package with %s harms no other", async (_what, make) => {
  await using project = projectWith({
    ...HONO,
    "package.json": json({
      dependencies: { hono: "^4.0.0", evil: "1", "evil\u001b[2J": "1", "../evil": "1" },
    }),
    "package-lock.json": json({ packages: { "node_modules/evil": { version: "1\n\u001b[2J" } } }),
    "secret.d.ts": "export declare const canarySecret: string;\n",
    "node_modules/evil/README.md": "# Evil\n\nMiddleware of the evil package.\n",
  });
  make(
    (path, text) => project.write(`node_modules/evil/${path}`, text),
    join(project.root, "node_modules/evil"),
  );
  const [report] = await project.sync({ target: "packages" });
  const said = JSON.stringify(report);
  const evil = await project.ask("evil middleware");
  const sources = evil.map(({ source_id, title }) => `${source_id} ${title}`).join(" ");
  // Neither lines nor characters of its own in what names it, and no names without end.
  expect([/\\n|\\u001b|\u202e/.test(said), said.length < 20_000]).toEqual([false, true]);
  expect([/[\n\u202e]/.test(sources), sources.length < 5_000]).toEqual([false, true]);
  expect(sources).not.toMatch(/passwd|secret|HOST|GUIDE|HUGE/);
  expect((await project.ask("how do I use hono's middleware"))[0]?.source_id).toBe("hono@4.6.1/README.md");
});
