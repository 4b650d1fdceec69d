import { DomainError } from "../../../core/errors.ts";

/** A small part of the tar format: regular files with short, safe names. Nothing else is written, nothing else is read. */
export interface TarFile {
  readonly name: string;
  readonly content: Buffer;
}

const BLOCK = 512;
const MAX_FILES = 100_000;

export function packTar(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap(({ name, content }) => [
    ...longNameOf(name),
    headerOf(shorten(name), content.length, "0"),
    padded(content),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** Links, devices, absolute names, `..` and names given twice are refused, and the archive with them. */
export function unpackTar(archive: Buffer): TarFile[] {
  const files = new Map<string, TarFile>();
  let longName: string | undefined;
  for (const { path, type, content } of recordsOf(archive)) {
    if (type === "L") longName = textOf(content);
    else if (type === "x") longName = paxPath(content) ?? longName;
    else if (type === "5" || type === "g") longName = undefined;
    else {
      const name = safeName(longName ?? path, type);
      if (files.has(name)) throw refused(`it holds ${name} twice`);
      if (files.size >= MAX_FILES) throw refused("it holds too many files");
      files.set(name, { name, content: Buffer.from(content) });
      longName = undefined;
    }
  }
  return [...files.values()];
}

function* recordsOf(archive: Buffer): Generator<{ path: string; type: string; content: Buffer }> {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { path, size, type } = readHeader(header);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw refused("it ends in the middle of a file");
    yield { path, type, content };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

export const refused = (why: string) =>
  new DomainError("invalid_input", `The bundle was refused: ${why}. Nothing was imported.`, {
    reason: "bundle",
  });

/** `tar` run on `.` begins every name with `./`. */
function safeName(given: string, type: string): string {
  const name = given.replace(/^(\.\/)+/, "");
  if (type !== "0" && type !== "\0") throw refused("it holds a link or a device");
  const isUnsafe =
    name.startsWith("/") ||
    /[\\\0:]/.test(name) ||
    name.split("/").some((part) => part === "" || part === "." || part === "..");
  if (isUnsafe) throw refused("a name in it leaves the bundle");
  return name;
}

function headerOf(name: string, size: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100, "utf8");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  // No time of its own: the same entries give the same bytes.
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  header.write(`${checksum(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

function readHeader(header: Buffer): { path: string; size: number; type: string } {
  const claimed = Number.parseInt(textOf(header.subarray(148, 156)), 8);
  const blank = Buffer.from(header);
  blank.fill(" ", 148, 156);
  if (checksum(blank) !== claimed) throw refused("it is damaged");
  const size = Number.parseInt(textOf(header.subarray(124, 136)).trim() || "0", 8);
  if (!Number.isSafeInteger(size) || size < 0) throw refused("it is damaged");
  const prefix = textOf(header.subarray(345, 500));
  const name = textOf(header.subarray(0, 100));
  return {
    path: prefix === "" ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(header[156] ?? 0),
  };
}

const checksum = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0);

/** The tail of a long name stands in the header; readers that know no long names still get a name. */
const shorten = (name: string) =>
  Buffer.byteLength(name) <= 100 ? name : name.slice(-40).replaceAll("/", "-");

function longNameOf(name: string): Buffer[] {
  if (Buffer.byteLength(name) <= 100) return [];
  const content = Buffer.from(`${name}\0`);
  return [headerOf("././@LongLink", content.length, "L"), padded(content)];
}

function paxPath(content: Buffer): string | undefined {
  for (const record of content.toString("utf8").split("\n")) {
    const path = /^\d+ path=(.*)$/.exec(record)?.[1];
    if (path !== undefined) return path;
  }
  return undefined;
}

const padded = (content: Buffer) =>
  Buffer.concat([content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString("utf8");
}
