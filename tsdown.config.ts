import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";
import { packGrammars } from "./scripts/pack-grammars.ts";

/**
 * Worker threads: NAME → the module that wires a plain function to messages.
 * In the build it stands at `workers/NAME.js` beside every chunk: `new URL("./workers/NAME.js", import.meta.url)`.
 */
const WORKERS: Readonly<Record<string, string>> = {
  "code-index": "src/capabilities/code-index/prepare-worker.ts",
  "documents-extract": "src/capabilities/documents/formats/extract-worker.ts",
  minilm: "src/core/search/workers/minilm.ts",
};

/** Commander loads `child_process` for commands that are programs of their own; we have none, and it costs a start 10 ms. */
const withoutChildProcesses = {
  name: "without-child-processes",
  transform: {
    filter: { id: /commander[\\/]lib[\\/]command\.js$/ },
    handler: (code: string) => code.replace(/require\(['"]node:child_process['"]\)/, "{}"),
  },
};

/** Asks the program just built for its list of tools and keeps the schemas: making them anew is a third of every start. */
function keepToolSchemas(directory: string): void {
  const ask = (id: number, method: string, params: unknown) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "build", version: "0" },
  };
  const { stdout } = spawnSync(process.execPath, [join(directory, "bin.js"), "mcp", "--root", directory], {
    input: `${ask(1, "initialize", hello)}\n${ask(2, "tools/list", {})}\n`,
    encoding: "utf8",
    env: { ...process.env, CONTEXTFUL_HOME: join(directory, "none") },
  });
  const answers = stdout.trim().split("\n");
  const listed = answers.map((line) => JSON.parse(line)).find(({ id }) => id === 2)?.result.tools;
  const schemas = listed.map(({ name, inputSchema, outputSchema }: Record<string, unknown>) => [
    name,
    { inputSchema, outputSchema },
  ]);
  writeFileSync(join(directory, "tool-schemas.json"), JSON.stringify(Object.fromEntries(schemas)));
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
  // What every start needs is bundled, so that a start reads few files; what is heavy stays a package, loaded on first use.
  deps: {
    alwaysBundle: [/^zod($|\/)/, /^hono($|\/)/, /^@hono\//, /^commander$/, /^@modelcontextprotocol\//],
    onlyBundle: false,
    // A development dependency and an optional peer of users: it is found, or search goes on without it.
    neverBundle: ["onnxruntime-node"],
  },
  // The SDK's packages do not say so, but loading them does nothing; unused parts are left out.
  treeshake: {
    moduleSideEffects: [{ test: /@modelcontextprotocol|@hono|hono|commander/, sideEffects: false }],
  },
  plugins: [withoutChildProcesses],
  hooks: {
    "build:done": ({ options }) => {
      packGrammars(options.outDir);
      keepToolSchemas(options.outDir);
    },
  },
  alias: {
    // The SDK's default loads a JSON Schema compiler (300 KB) at every start; our tools check their own input.
    "@modelcontextprotocol/server/_shims": new URL("src/surfaces/mcp/sdk-shims.ts", import.meta.url).pathname,
  },
  // Less to read and compile at every start; names stay, so that a stack in a bug report can be read.
  minify: { compress: true, mangle: false },
  // Chunks lie flat beside bin.js: paths to models/ and workers/ are relative to import.meta.url.
  outputOptions: {
    chunkFileNames: "[name]-[hash].js",
    // Every start needs these small modules: one file instead of fifteen.
    codeSplitting: { groups: [{ name: "core", test: /src\/core\/[a-z-]+\.ts$|rolldown\/runtime/ }] },
  },
});
