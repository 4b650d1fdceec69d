import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { ACTIVE_STATE, FOLDER, LOCAL, ownerOf, PENDING_CONFLICTS, USER_PREFERENCES } from "./layout.ts";
import type { ScopeTable } from "./scopes.ts";

/**
 * Whether a file of the store is committed.
 * `shared`: yes. `local`: never; if git tracks it, it is untracked.
 * `foreign`: we neither commit nor remove it; the repository keeps its version.
 */
type FileSharing = "shared" | "local" | "foreign";

export function sharingOf(path: string, scopes: ScopeTable): FileSharing {
  if (isLocalFile(path)) return "local";
  const name = path.slice(path.lastIndexOf("/") + 1);
  // Scopes committed by another program: removing them would make private entries of a teammate public.
  if (name === ".scope.json") return "foreign";
  const owner = ownerOf(path);
  if (owner !== undefined) return scopes.of(path) === "public" ? "shared" : "local";
  if (name === ".gitignore") return path === ".gitignore" ? "shared" : "local";
  if (name === ".meta.json") return "shared";
  return SHARED.some((pattern) => pattern.test(path)) ? "shared" : "foreign";
}

const LOCAL_FILES = [LOCAL, ACTIVE_STATE, USER_PREFERENCES, PENDING_CONFLICTS];

/** Also matches a folder of that name, which would block the file, and ignores case, as some systems do. */
function isLocalFile(path: string): boolean {
  const folded = path.toLowerCase();
  return folded.includes(".scope.json/") || LOCAL_FILES.some((name) => `${folded}/`.startsWith(`${name}/`));
}

const SHARED = [
  /^manifest\.json$/,
  /^preferences\/team\.json$/,
  /^state\/roadmap\.json$/,
  /^history\/[^/]+\.ndjson$/,
  /^activity\/[^/.][^/]*\.json$/,
];

/** All regular files of the store except `.local`, sorted. Links are neither followed nor listed. */
export function storeFiles(directory: string): string[] {
  const found: string[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const item of list(join(directory, folder))) {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      if (path === LOCAL) continue;
      if (item.isDirectory()) pending.push(path);
      if (item.isFile()) found.push(path);
    }
  }
  return found.sort(byCodeUnit);
}

/** All files in the folder of a skill. */
export const skillFiles = (directory: string, name: string): string[] =>
  list(join(directory, FOLDER.skill, name)).length === 0
    ? []
    : storeFiles(join(directory, FOLDER.skill, name)).map((path) => `${FOLDER.skill}/${name}/${path}`);

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(thrown) ?? "")) return [];
    throw thrown;
  }
}
