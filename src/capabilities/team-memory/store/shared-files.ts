import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { ACTIVE_STATE, FOLDER, LOCAL, ownerOf, PENDING_CONFLICTS, USER_PREFERENCES } from "./layout.ts";
import type { ScopeTable } from "./scopes.ts";

/**
 * What may be said to others of a file of the store.
 * `shared`: belongs to commits. `local`: must never be in one; where it is tracked it is untracked.
 * `foreign`: not ours to commit or to remove; what the repository has of it stays as it is.
 */
export type FileSharing = "shared" | "local" | "foreign";

export function sharingOf(path: string, scopes: ScopeTable): FileSharing {
  if (isOfOneClone(path)) return "local";
  const name = path.slice(path.lastIndexOf("/") + 1);
  // Another program's committed scopes: taking them away from a teammate would make their private entries public.
  if (name === ".scope.json") return "foreign";
  const owner = ownerOf(path);
  if (owner !== undefined) return scopes.of(path) === "public" ? "shared" : "local";
  if (name === ".gitignore") return path === ".gitignore" ? "shared" : "local";
  if (name === ".meta.json") return "shared";
  return SHARED.some((pattern) => pattern.test(path)) ? "shared" : "foreign";
}

const ONE_CLONE = [LOCAL, ACTIVE_STATE, USER_PREFERENCES, PENDING_CONFLICTS];

/** A folder in the place of such a file would keep it from ever being written, and some systems read letters of either case alike. */
function isOfOneClone(path: string): boolean {
  const folded = path.toLowerCase();
  return folded.includes(".scope.json/") || ONE_CLONE.some((name) => `${folded}/`.startsWith(`${name}/`));
}

const SHARED = [
  /^manifest\.json$/,
  /^preferences\/team\.json$/,
  /^state\/roadmap\.json$/,
  /^history\/[^/]+\.ndjson$/,
  /^activity\/[^/.][^/]*\.json$/,
];

/** Every regular file of the store but those of `.local`, sorted. Links are not followed and not listed. */
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

/** The folder of a skill, with its sidecars and whatever stands beside them. */
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
