import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { DomainError } from "../errors.ts";
import { checkPathForm, isKernelPath } from "./path-form.ts";

/** Which directories a tool accepts as `path`. */
export interface AllowedRoots {
  /** The real path of the directory `path` (default: the project). Throws `forbidden_path` or `not_found`. */
  directory(path?: string): Promise<string>;
}

/** Without `allowed`, any directory the user can read is accepted. */
export function allowRoots(project: string, allowed?: readonly string[]): AllowedRoots {
  const realRoots = new Map<string, string>();
  /** The first call decides: who later puts a link in place of a root does not widen what is allowed. */
  const realRoot = (root: string): string | undefined => {
    const real = realRoots.get(root) ?? realPath(root);
    if (real !== undefined) realRoots.set(root, real);
    return real;
  };
  return {
    async directory(path = project) {
      checkPathForm(path);
      const real = realDirectory(resolve(project, path), path);
      if (isKernelPath(real)) throw forbidden(path, "That is no project directory.");
      if (allowed === undefined) return real;
      const isAllowed = allowed.map(realRoot).some((root) => root !== undefined && isInside(root, real));
      if (isAllowed) return real;
      throw forbidden(path, "Start the server with --allow-root for that directory.");
    },
  };
}

/** True if `path` is `root` or below it, by whole segments. Both must be real paths. */
export function isInside(root: string, path: string): boolean {
  const between = relative(root, path);
  return between === "" || (between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

/** A file system root, the home directory and its parents: nobody means them as a project. */
export const isTooWide = (path: string): boolean => dirname(path) === path || isInside(path, realHome());

export function refuseTooWide(path: string, insistWith: string): void {
  if (!isTooWide(path)) return;
  throw new DomainError(
    "invalid_input",
    `${path} is a home directory or holds one: more than a project. Name a directory in it, or insist with ${insistWith}.`,
    { reason: "wrong_path", details: { param: "path" } },
  );
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}

function realDirectory(path: string, asked: string): string {
  const real = realPath(path);
  if (real !== undefined && isDirectory(real)) return real;
  throw new DomainError("not_found", `Not a directory: ${asked}`, { details: { param: "path" } });
}

/** Not in a thread of Node: every call asks for it, and to wake a thread takes longer than to ask the system. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const forbidden = (path: string, hint: string) =>
  new DomainError("forbidden_path", `Not allowed here: ${path}. ${hint}`, { details: { param: "path" } });
