// Runs on `npm install` in a clone: builds dist/. Silent unless it fails; does nothing in the published package, which has no sources.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bundler = join(root, "node_modules", "tsdown", "dist", "run.mjs");
if (existsSync(join(root, "src", "bin.ts")) && existsSync(bundler)) {
  const built = spawnSync(process.execPath, [bundler, "--log-level", "error"], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) {
    process.stderr.write(`contextful could not be built:\n${built.stdout}${built.stderr}\n`);
    process.exitCode = 1;
  }
}
