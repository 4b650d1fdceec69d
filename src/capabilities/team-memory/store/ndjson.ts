import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import type { StoreEdit } from "./edit.ts";
import { damagedFile } from "./json-file.ts";
import type { MemoryStore } from "./store.ts";

/** Whatever holds the logs. */
type Logs = Pick<MemoryStore, "readBytes">;

/** One line of a log that holds an object, as it is and as it reads. */
export interface LogLine {
  readonly bytes: Buffer;
  readonly value: object;
}

const NEWLINE = Buffer.from("\n");

/** The lines of a log that can be read: a torn or foreign line is passed over, never fatal. */
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

/** Adds a line. Where the log holds more than `most`, the oldest go. */
export function appendLine(
  store: Logs,
  edit: StoreEdit,
  path: string,
  { line, most = Number.POSITIVE_INFINITY }: { line: object; most?: number },
): void {
  const lines = [...linesOf(store.readBytes(path)), asLine(line)];
  putLines(store, edit, path, lines.slice(Math.max(0, lines.length - most)));
}

/** Writes a log anew. Lines that could not be read are set aside: they may be repaired by hand. */
export function putLines(store: Logs, edit: StoreEdit, path: string, lines: readonly LogLine[]): void {
  const damaged = split(store.readBytes(path)).filter((line) => objectIn(line) === undefined);
  if (damaged.length > 0) {
    const before = split(store.readBytes(damagedFile(path)));
    edit.put(damagedFile(path), print([...before, ...damaged]));
  }
  edit.put(path, print(lines.map(({ bytes }) => bytes)));
}

/** The lines of a log that hold an object. Each is judged alone: bytes that are no text spoil their own line only. */
export const linesOf = (log: Buffer | undefined): LogLine[] =>
  split(log).flatMap((bytes) => {
    const value = objectIn(bytes);
    return value === undefined ? [] : [{ bytes, value }];
  });

/** Two lines of one id are one event. */
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
