// Runs a TypeScript script of this folder or of eval/: bundles it in memory's place (node_modules/.cache) and starts it.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "rolldown";

const [script, ...args] = process.argv.slice(2);
if (!script) throw new Error("usage: node scripts/run.mjs SCRIPT.ts [ARGUMENTS]");
const out = join("node_modules", ".cache", "contextful", `${basename(script, ".ts")}-${process.pid}`);
mkdirSync(out, { recursive: true });
try {
  await build({
    input: resolve(script),
    platform: "node",
    transform: { target: "node20.19" },
    external: [/^(?!@oxc-project\/runtime)[a-z@]/],
    logLevel: "warn",
    output: { dir: out, format: "esm", entryFileNames: "[name].mjs" },
  });
  const node = ["--expose-gc", "--enable-source-maps", join(out, `${basename(script, ".ts")}.mjs`), ...args];
  process.exitCode = spawnSync(process.execPath, node, { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
