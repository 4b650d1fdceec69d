import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DomainError } from "./errors.ts";
import type { MODEL_FILES } from "./search/embedders/model-files.ts";
import { modelsDirectory } from "./search/embedders/models-directory.ts";

/** Packages and files without which a server could answer, but not search. */
const PACKAGES = ["node-sqlite3-wasm", "web-tree-sitter"];
const FILES = ["vocab.txt", "static.bin"] as const satisfies (keyof typeof MODEL_FILES)[];

/** Throws `unavailable` with the command that repairs the installation. Only looks, because a client waits for the start. */
export function requireParts(): void {
  const missing = [
    ...PACKAGES.filter((name) => !isNear(name) && !canResolve(name)),
    ...FILES.filter((name) => !existsSync(join(modelsDirectory(), name))).map((name) => `models/${name}`),
  ];
  if (missing.length > 0) {
    throw new DomainError(
      "unavailable",
      `The installation is incomplete: ${missing.join(" and ")} missing. Run: npm install contextful (in a clone: npm install).`,
    );
  }
}

/** Node's own resolution takes some milliseconds, and mostly finds the package here. */
function isNear(name: string): boolean {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

function canResolve(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
