import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import type { StoreEdit } from "./edit.ts";
import { LOCAL } from "./layout.ts";
import { printJson } from "./sidecar.ts";
import type { MemoryStore } from "./store.ts";

/** Reads a small JSON file of the store. A missing or damaged file is read as `{}`. */
export function readJson<Schema extends z.ZodType>(
  store: MemoryStore,
  path: string,
  schema: Schema,
): z.output<Schema> {
  return schema.parse(parseObject(store, path) ?? {});
}

/** Moves a damaged file aside before it is replaced: it may be repaired by hand. */
export function putJson(store: MemoryStore, edit: StoreEdit, path: string, value: object): void {
  if (parseObject(store, path) === undefined) {
    const damaged = textOf(store, path);
    if (damaged !== undefined) edit.put(damagedFile(path), damaged);
  }
  edit.put(path, printJson(value));
}

/** Where a damaged file is kept. */
const damagedFile = (path: string): string => `${LOCAL}/damaged/${path.replaceAll("/", "-")}`;

function parseObject(store: MemoryStore, path: string): object | undefined {
  try {
    const value: unknown = JSON.parse(textOf(store, path) ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(store: MemoryStore, path: string): string | undefined {
  try {
    return store.readText(path);
  } catch {
    return undefined;
  }
}

type Logs = Pick<MemoryStore, "readBytes">;

/** One line of a log: its bytes and the object in it. */
interface LogLine {
  readonly bytes: Buffer;
  readonly value: object;
}

const NEWLINE = Buffer.from("\n");

/** The readable lines of a log. Incomplete or foreign lines are skipped. */
export function readLines<Schema extends z.ZodType>(
  store: Logs,
  path: string,
  schema: Schema,
): z.output<Schema>[] {
  return linesOf(store.readBytes(path)).flatMap(({ value }) => {
    const line = schema.safeParse(value);
    return line.success ? [line.data] : [];
  });
}

/** Adds a line. If the log has more than `most` lines, the oldest are dropped. */
export function appendLine(
  store: Logs,
  edit: StoreEdit,
  path: string,
  { line, most = Number.POSITIVE_INFINITY }: { line: object; most?: number },
): void {
  const lines = [...linesOf(store.readBytes(path)), asLine(line)];
  putLines(store, edit, path, lines.slice(Math.max(0, lines.length - most)));
}

/** Replaces a log. Unreadable lines are moved aside: they may be repaired by hand. */
export function putLines(store: Logs, edit: StoreEdit, path: string, lines: readonly LogLine[]): void {
  const damaged = split(store.readBytes(path)).filter((line) => objectIn(line) === undefined);
  if (damaged.length > 0) {
    const before = split(store.readBytes(damagedFile(path)));
    edit.put(damagedFile(path), print([...before, ...damaged]));
  }
  edit.put(path, print(lines.map(({ bytes }) => bytes)));
}

/** The lines that hold an object. Invalid bytes affect only their own line. */
export const linesOf = (log: Buffer | undefined): LogLine[] =>
  split(log).flatMap((bytes) => {
    const value = objectIn(bytes);
    return value === undefined ? [] : [{ bytes, value }];
  });

/** Lines with the same id are the same event. */
export const lineId = ({ bytes, value }: LogLine): string =>
  "id" in value && typeof value.id === "string" ? value.id : bytes.toString("utf8");

function split(log: Buffer = Buffer.alloc(0)): Buffer[] {
  const lines: Buffer[] = [];
  for (let begin = 0; begin < log.length; ) {
    const newline = log.indexOf(NEWLINE, begin);
    const end = newline === -1 ? log.length : newline;
    if (end > begin) lines.push(log.subarray(begin, end));
    begin = end + 1;
  }
  return lines;
}

const print = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));

const asLine = (value: object): LogLine => ({ bytes: Buffer.from(JSON.stringify(value)), value });

function objectIn(line: Buffer): object | undefined {
  if (!isUtf8(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
