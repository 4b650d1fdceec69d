import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parseTar } from "nanotar";

export interface ArchivedFile {
  readonly path: string;
  readonly text: string;
}

const MAX_FILE = 600_000;
const MAX_PACKAGE = 12_000_000;
const MAX_OUTPUT = 1 << 29;

/** The files of a .deb, .tgz or source tarball that `isWanted`, read in memory: unpacking to disk takes ten times as long. */
export function readArchive(file: string, isWanted: (path: string) => boolean): ArchivedFile[] {
  let total = 0;
  return parseTar(tarOf(file), {
    filter: ({ name, type, size }) => {
      if (type !== "file" || size > MAX_FILE || total > MAX_PACKAGE || !isWanted(name.replace(/\.gz$/, "")))
        return false;
      total += size;
      return true;
    },
  }).map(({ name, data }) => readEntry(name, data ?? new Uint8Array()));
}

/** Debian compresses what a package says of itself. */
const readEntry = (name: string, data: Uint8Array): ArchivedFile => ({
  path: name.replace(/\.gz$/, ""),
  text: Buffer.from(
    name.endsWith(".gz") ? gunzipSync(data, { maxOutputLength: MAX_FILE * 8 }) : data,
  ).toString("utf8"),
});

function tarOf(file: string): Uint8Array {
  const through = (program: string, ...args: string[]) =>
    execFileSync(program, args, { maxBuffer: MAX_OUTPUT });
  if (file.endsWith(".deb")) return through("dpkg-deb", "--fsys-tarfile", file);
  if (file.endsWith(".xz")) return through("xz", "-dc", file);
  if (file.endsWith(".bz2")) return through("bzip2", "-dc", file);
  return gunzipSync(readFileSync(file), { maxOutputLength: MAX_OUTPUT });
}
