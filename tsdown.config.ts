import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";
import { bundlePage } from "./scripts/bundle-page.ts";
import { packGrammars } from "./scripts/pack-grammars.ts";

/**
 * Worker threads: NAME → the module that connects a plain function to messages.
 * In the build it is `workers/NAME.js`, relative to every chunk: `new URL("./workers/NAME.js", import.meta.url)`.
 */
const WORKERS: Readonly<Record<string, string>> = {
  "code-index": "src/capabilities/code-index/prepare/prepare-worker.ts",
  "documents-extract": "src/capabilities/documents/formats/extract-worker.ts",
  "documents-prepare": "src/capabilities/documents/sync/prepare/prepare-worker.ts",
  minilm: "src/core/search/workers/minilm.ts",
};

/**
 * Node takes half a millisecond to find, read and link a file, so what is needed together is one file. A module is in the first group
 * that names it or a module that imports it.
 */
const CHUNKS = [
  // What runs before compiled code is kept.
  { name: "process", test: /src\/(?:process|core\/home)\.ts$/ },
  // The command is read; a server answers `initialize` and `tools/list`.
  { name: "start", test: /src\/(?:main|surfaces\/mcp\/stdio|app\/room-instructions)\.ts$|rolldown\/runtime/ },
  // Every command.
  {
    name: "core",
    test: /src\/(?:core\/[a-z-]+|core\/files\/path-kinds|app\/open-machine)\.ts$|node_modules\/zod\//,
  },
  // Every answer is cleaned.
  { name: "hygiene", test: /src\/core\/hygiene\/index\.ts$/ },
  // The definitions of the tools that every server lists and every search needs.
  { name: "code-tools", test: /src\/(?:capabilities\/code-index\/index|app\/(?:app-of|code-room))\.ts$/ },
  { name: "commands", test: /src\/(?:surfaces\/cli\/commands|app\/open-room)\.ts$/ },
  // A search from the command line.
  {
    name: "code-search",
    test: /src\/(?:capabilities\/code-index\/code-index|core\/(?:config\/load|search\/embedders\/static))\.ts$/,
  },
  { name: "rooms", test: /src\/app\.ts$/ },
  { name: "mcp", test: /src\/surfaces\/mcp\/index\.ts$/ },
].map((group, at, all) => ({ ...group, priority: all.length - at }));

/** Commander loads `child_process` for commands that are separate programs. We have none, and loading it takes 10 ms. */
const withoutChildProcesses = {
  name: "without-child-processes",
  transform: {
    filter: { id: /commander[\\/]lib[\\/]command\.js$/ },
    handler: (code: string) => code.replace(/require\(['"]node:child_process['"]\)/, "{}"),
  },
};

/**
 * An import of a module of Node makes a copy of all its exports, which loads parts that nobody asked for, such as streams of
 * files. It is read as an object instead.
 */
const builtinsAsObjects = {
  name: "builtins-as-objects",
  renderChunk: (code: string) =>
    code.replace(
      /^import\s*(?:\*\s*as\s+)?(\{[^}]*\}|[\w$]+)\s*from\s*["'](node:[\w/]+)["'];?/gm,
      (_, names: string, builtin: string) =>
        `const ${names.replace(/\s+as\s+/g, ":")}=globalThis.process.getBuiltinModule("${builtin}");`,
    ),
};

/** A file that only passes on what another one exports. */
const PASSES_ON = /^import\{([^}]*)\}from"(\.\/[^"]+)";export\{([\w$,]*)\};?\s*$/;

/**
 * An `import()` of a module that is part of a larger file goes through a file of its own that only names it. A search read
 * nine of them, half a millisecond each. Here such an `import()` asks the larger file.
 */
function importDirectly(directory: string): void {
  const files = readdirSync(directory).filter((file) => file.endsWith(".js"));
  const codes = new Map(files.map((file) => [file, readFileSync(join(directory, file), "utf8")]));
  const direct = new Map<string, string>();
  for (const [file, code] of codes) {
    const [, names = "", target] = PASSES_ON.exec(code) ?? [];
    if (target === undefined) continue;
    const taken = names.replace(/\s+as\s+/g, ":");
    const given = names.replace(/[\w$]+\s+as\s+/g, "");
    direct.set(file, `import("${target}").then(({${taken}})=>({${given}}))`);
  }
  for (const [file, code] of codes) {
    const joined = code.replace(
      /import\([`"']\.\/([^`"']+)[`"']\)/g,
      (whole, name) => direct.get(name) ?? whole,
    );
    if (joined !== code) writeFileSync(join(directory, file), joined);
  }
}

/** The revisions that begin with `initialize`. A test asks the SDK for each. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Asks the new build what its clients ask first, and keeps the answers: making them takes most of a start. */
function keepOpening(directory: string): void {
  const folder = join(directory, "opening");
  mkdirSync(folder);
  const keep = (name: string, value: unknown) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  const { capabilities } = askServer(directory, [], "initialize", {
    protocolVersion: VERSIONS[0],
    capabilities: {},
    clientInfo: { name: "build", version: "0" },
  });
  const lists = {
    "all-contract": ["--tools", "all", "--tool-names", "contract"],
    "all-safe": ["--tools", "all", "--tool-names", "safe"],
    lean: ["--tools", "lean"],
  };
  const listed = Object.entries(lists).map(
    ([name, flags]) => [name, askServer(directory, flags, "tools/list", {})] as const,
  );
  for (const [name, list] of listed) keep(name, list);
  keep("initialize", { versions: VERSIONS, capabilities });
}

function askServer(directory: string, flags: readonly string[], method: string, params: unknown) {
  const { stdout } = spawnSync(
    process.execPath,
    [join(directory, "bin.js"), "mcp", "--root", directory, ...flags],
    {
      input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`,
      encoding: "utf8",
      env: { ...process.env, CONTEXTFUL_HOME: join(directory, "none") },
    },
  );
  return JSON.parse(stdout).result;
}

export default defineConfig({
  entry: {
    bin: "src/bin.ts",
    index: "src/index.ts",
    ...Object.fromEntries(Object.entries(WORKERS).map(([name, file]) => [`workers/${name}`, file])),
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: { entry: "src/index.ts" },
  fixedExtension: false,
  report: false,
  // What every start needs is bundled, so that a start reads few files. Heavy packages stay outside and are loaded on first use.
  deps: {
    alwaysBundle: [
      /^zod($|\/)/,
      /^hono($|\/)/,
      /^@hono\//,
      /^commander$/,
      /^@modelcontextprotocol\//,
      // Its package is 30 MB for all encodings; we need one. It becomes a chunk of its own.
      /^gpt-tokenizer\//,
    ],
    onlyBundle: false,
  },
  // These packages do not declare it, but loading them has no side effects: unused parts can be left out.
  treeshake: {
    moduleSideEffects: [{ test: /@modelcontextprotocol|@hono|hono|commander/, sideEffects: false }],
  },
  plugins: [withoutChildProcesses, builtinsAsObjects],
  hooks: {
    "build:done": async ({ options }) => {
      packGrammars(options.outDir);
      await bundlePage(options.outDir);
      importDirectly(options.outDir);
      keepOpening(options.outDir);
    },
  },
  alias: {
    // The SDK's default loads a JSON Schema compiler (300 KB) at every start; our tools validate their own input.
    "@modelcontextprotocol/server/_shims": new URL("src/surfaces/mcp/sdk-shims.ts", import.meta.url).pathname,
  },
  // Less to read and compile at every start. Names are kept, so that stack traces in bug reports are readable.
  minify: { compress: true, mangle: false },
  // All chunks are in one directory with bin.js: paths to models/ and workers/ are relative to import.meta.url.
  outputOptions: {
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: CHUNKS },
  },
});
