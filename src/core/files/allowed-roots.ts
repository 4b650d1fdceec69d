import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DomainError } from "../errors.ts";

/** Which directories a tool may be pointed at with `path`. */
export interface AllowedRoots {
  /** The real path of `path` (default: the project), a directory inside what is allowed; else `forbidden_path` or `not_found`. */
  directory(path?: string): Promise<string>;
}

/** `allowed` undefined means any directory the user can read. */
export function allowRoots(project: string, allowed?: readonly string[]): AllowedRoots {
  return {
    async directory(path = project) {
      if (path.includes("\0"))
        throw new DomainError("invalid_input", "A path cannot hold a NUL byte.", {
          details: { param: "path" },
        });
      const real = await realDirectory(resolve(project, path), path);
      if (allowed === undefined) return real;
      for (const root of allowed) {
        if (isInside(await realpath(root), real)) return real;
      }
      throw new DomainError(
        "forbidden_path",
        `Not allowed here: ${path}. Start the server with --allow-root for that directory.`,
        {
          details: { param: "path" },
        },
      );
    },
  };
}

/** True where `path` is `root` or under it, by whole segments; both must be real paths. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function realDirectory(path: string, asked: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  const isDirectory = real !== undefined && (await stat(real)).isDirectory();
  if (real !== undefined && isDirectory) return real;
  throw new DomainError("not_found", `Not a directory: ${asked}`, { details: { param: "path" } });
}
