import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { isInside } from "../../../core/files/allowed-roots.ts";
import { sha256 } from "../../../core/hash.ts";

const MARK = "\uFEFF";

/** A configuration file as it is on disk. */
export interface ClientConfigFile {
  /** The real path, behind links. */
  readonly path: string;
  /** `undefined` if there is no file. */
  readonly bytes: Buffer | undefined;
  /** Without a byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
}
/** Why a file is not changed. */
export interface FileRefusal {
  readonly refused: string;
}

/** Reads a file that will be edited. `within`: the directory of the project; a link must not lead out of it. */
export function readConfigFile(file: string, within?: string): ClientConfigFile | FileRefusal {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    const path = stat === undefined ? newPath(file) : realpathSync(file);
    if (within !== undefined && !isInside(realpathSync(within), path))
      return { refused: "it leads out of the project through a link" };
    if (stat === undefined) return { path, bytes: undefined, text: "", hasMark: false };
    const problem = problemOf(statSync(path));
    if (problem !== undefined) return { refused: problem };
    return decoded(path, readFileSync(path));
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === "ENOENT") return { refused: "it is a link that leads nowhere" };
    return { refused: `it cannot be read (${errno ?? "unknown error"})` };
  }
}

/** The bytes to write for a text, with the byte order mark it had. */
export const encoded = ({ hasMark }: ClientConfigFile, text: string): Buffer =>
  Buffer.from(hasMark ? MARK + text : text, "utf8");

export const hashOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "absent" : sha256(bytes);

/** The line ending a text uses. */
export const lineEnding = (text: string): "\r\n" | "\n" => (/\r\n/.test(text) ? "\r\n" : "\n");

function problemOf(stat: Stats): string | undefined {
  if (!stat.isFile()) return "it is not a regular file";
  // A rename over a read-only file works, but it is read-only for a reason.
  if ((stat.mode & 0o222) === 0) return "it is read-only";
  return undefined;
}

function decoded(path: string, bytes: Buffer): ClientConfigFile | FileRefusal {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(MARK);
    return { path, bytes, text: hasMark ? text.slice(1) : text, hasMark };
  } catch {
    return { refused: "it is not UTF-8" };
  }
}

/** The real path of a new file, from its nearest existing directory. */
function newPath(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return realpathSync(folder) + file.slice(folder.length);
    } catch (thrown) {
      if (errnoOf(thrown) !== "ENOENT" || dirname(folder) === folder) throw thrown;
    }
  }
}
