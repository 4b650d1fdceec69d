import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { isInside } from "../../../core/files/allowed-roots.ts";
import { CONTEXT_FILE } from "../schema.ts";

type ScopeLocation =
  | { readonly kind: "inside"; readonly directory: string; readonly path: string }
  | { readonly kind: "outside" }
  | { readonly kind: "absent" };

/** Resolves a scope to its real path. `root` must be a real path; `path` is relative to it with `/`, "." for the root. */
export function locateScope(root: string, scope: string): ScopeLocation {
  const asked = scope.replaceAll("\\", "/");
  if (asked.includes("\0")) return { kind: "absent" };
  const target = resolve(root, asked);
  // An absolute scope may reach the root through a link, so only its real path decides.
  if (!isAbsolute(asked) && !isInside(root, target)) return { kind: "outside" };
  const directory = realPathOf(target);
  if (directory === undefined) return { kind: "absent" };
  if (!isInside(root, directory)) return { kind: "outside" };
  return { kind: "inside", directory, path: scopeOf(root, directory) };
}

const scopeOf = (root: string, directory: string): string =>
  relative(root, directory).split(sep).join("/") || ".";

/** The directory's context file, followed if it is a link that stays inside; `outside` if it leaves. */
export function contextFileOf(root: string, directory: string): ScopeLocation {
  const file = join(directory, CONTEXT_FILE);
  try {
    if (!lstatSync(file).isSymbolicLink()) return { kind: "inside", directory: file, path: CONTEXT_FILE };
    const real = realpathSync(file);
    return isInside(root, real)
      ? { kind: "inside", directory: real, path: CONTEXT_FILE }
      : { kind: "outside" };
  } catch {
    return { kind: "absent" };
  }
}

/** The real path. For a path that does not exist: that of its nearest existing ancestor, plus the rest. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (thrown) {
    const parent = dirname(path);
    if (!["ENOENT", "ENOTDIR"].includes(errnoOf(thrown) ?? "") || parent === path) return undefined;
    const real = realPathOf(parent);
    return real === undefined ? undefined : join(real, basename(path));
  }
}
