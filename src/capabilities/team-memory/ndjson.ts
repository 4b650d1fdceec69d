import type { z } from "zod";
import { DomainError } from "../../core/errors.ts";
import type { Store } from "./store/store.ts";

/** Whatever holds the logs. */
type Logs = Pick<Store, "readText">;

/** The lines of a log that can be read: a torn or foreign line is passed over, never fatal. */
export function readLines<Schema extends z.ZodType>(
  store: Logs,
  path: string,
  schema: Schema,
): z.output<Schema>[] {
  return linesOf(rawText(store, path)).flatMap((line) => {
    const value = schema.safeParse(parse(line));
    return value.success ? [value.data] : [];
  });
}

/** The log with a line more. What could not be read is left out, so a torn end heals. */
export function withLine(
  store: Logs,
  path: string,
  line: object,
  { most = Number.POSITIVE_INFINITY } = {},
): string {
  const lines = [...linesOf(rawText(store, path)), JSON.stringify(line)];
  return `${lines.slice(Math.max(0, lines.length - most)).join("\n")}\n`;
}

/** The lines of a log that hold an object, as they are. */
export const linesOf = (text: string): string[] =>
  text.split("\n").filter((line) => parse(line) !== undefined);

/** Two lines of one id are one event. */
export function lineId(line: string): string {
  const value = parse(line);
  return value !== undefined && "id" in value && typeof value.id === "string" ? value.id : line;
}

/** A log that is no text is no log. */
function rawText(store: Logs, path: string): string {
  try {
    return store.readText(path) ?? "";
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.message.includes("UTF-8")) return "";
    throw thrown;
  }
}

function parse(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
