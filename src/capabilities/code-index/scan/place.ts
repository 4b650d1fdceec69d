import { isAbsolute, relative, resolve, sep } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import type { PathKindOf } from "./path-kind.ts";

export interface PlaceInProject {
  /** The project's directory. */
  readonly project: string;
  /** The part of it, with `/`; empty for all of it. */
  readonly part: string;
  /** A part that is neither on disk nor in the index may be a glob. */
  readonly kind: ReturnType<PathKindOf>;
}

/** What is inside of the project is a part of it; any other directory is a project of its own. */
export function placeOf(root: string, path: string, kindOf: PathKindOf): PlaceInProject {
  const place = resolve(root, path);
  const part = relative(root, place);
  if (part === "") return { project: root, part, kind: "directory" };
  const isOutside = part === ".." || part.startsWith(`..${sep}`) || isAbsolute(part);
  if (isOutside) return { project: place, part: "", kind: "directory" };
  return { project: root, part: part.split(sep).join("/"), kind: kindOf(place) };
}

/** A name on disk such as [id] is not a glob. The slash means everything below a directory. */
export function filePatternOf({ part, kind }: PlaceInProject): string {
  if (kind === undefined) return part;
  return `${part.replaceAll(/[*?[\]{}\\]/g, "?")}${kind === "directory" ? "/" : ""}`;
}

export const notInProject = (path: string) =>
  new DomainError("invalid_input", `The project has no ${path}.`, {
    reason: "wrong_path",
    details: { param: "path" },
  });
