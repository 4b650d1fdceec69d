import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding } from "../../core/room-offer.ts";
import { sqliteDriver } from "../../core/store/sqlite-driver.ts";

/** What `doctor` finds out about this machine: what runs here, and where it may write. */
export const machineFindings = async (cwd: string, home: string): Promise<readonly Finding[]> => [
  { name: "node", state: "ok", detail: `${process.version} on ${process.platform}` },
  await sqlite(),
  await git(cwd),
  ...models(),
  dataDirectory(home),
];

async function sqlite(): Promise<Finding> {
  try {
    return { name: "sqlite", state: "ok", detail: sqliteDriver().name };
  } catch (thrown) {
    return {
      name: "sqlite",
      state: "problem",
      detail: thrown instanceof Error ? thrown.message : "does not load",
    };
  }
}

async function git(cwd: string): Promise<Finding> {
  try {
    const { askGit } = await import("../../core/git/git.ts");
    const version = await askGit(["--version"], { cwd });
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

/** The built chunks are in dist/; in the source tree this file is three folders down. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function models(): readonly Finding[] {
  const root = packageRoot();
  const hasModel = existsSync(join(root, "models"));
  return [
    hasModel
      ? { name: "model files", state: "ok", detail: "present" }
      : {
          name: "model files",
          state: "problem",
          detail: "missing: search by meaning is off; reinstall contextful",
        },
    canResolve("onnxruntime-node", root)
      ? {
          name: "model runtime",
          state: "ok",
          detail: "onnxruntime-node: MiniLM vectors follow in the background",
        }
      : {
          name: "model runtime",
          state: "note",
          detail:
            "onnxruntime-node is not installed: static vectors serve; npm install onnxruntime-node for better ones",
        },
  ];
}

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
