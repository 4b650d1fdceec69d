import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { parseDocument } from "yaml";
import { z } from "zod";
import { errnoOf } from "../../core/errors.ts";
import { DirectoryContext, isRecord } from "./schema.ts";

export type Reading =
  | { readonly kind: "read"; readonly context: DirectoryContext }
  | { readonly kind: "missing" }
  | { readonly kind: "unsupported"; readonly version: number }
  | { readonly kind: "corrupt"; readonly reason: string };

/** Far above any context a person would keep; what is larger is refused before it is parsed. */
const MAX_BYTES = 1_000_000;
/** Alias bombs multiply; people use a handful. */
const MAX_ALIASES = 100;

/** Reads one file, never through a link, never blocking on a FIFO, never more than the limit. */
export function readContextFile(file: string): Reading {
  const text = readBounded(file);
  return typeof text === "string" ? parseContext(text) : text;
}

/** The file's text, or why there is none. */
export function readBounded(file: string): string | Exclude<Reading, { kind: "read" | "unsupported" }> {
  let descriptor: number;
  try {
    descriptor = openSync(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (thrown) {
    const code = errnoOf(thrown) ?? "";
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code)) return { kind: "missing" };
    return { kind: "corrupt", reason: `cannot be opened (${code})` };
  }
  try {
    return textOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function textOf(descriptor: number): string | { kind: "corrupt"; reason: string } {
  const { size, ...stat } = fstatSync(descriptor);
  if ((stat.mode & constants.S_IFMT) !== constants.S_IFREG) {
    return { kind: "corrupt", reason: "not a regular file" };
  }
  if (size > MAX_BYTES) return { kind: "corrupt", reason: `larger than ${MAX_BYTES} bytes` };
  const buffer = Buffer.alloc(size);
  const length = readSync(descriptor, buffer, 0, size, 0);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length));
  } catch {
    return { kind: "corrupt", reason: "not UTF-8 text" };
  }
}

export function parseContext(text: string): Reading {
  const parsed = parseYaml(text);
  return "reason" in parsed ? { kind: "corrupt", reason: parsed.reason } : contextOf(parsed.value);
}

/** YAML 1.2 core schema, bounded. One document, no duplicate keys. */
export function parseYaml(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const problem = document.errors[0];
    if (problem) return { reason: problem.message.split("\n")[0] ?? "not YAML" };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (thrown) {
    // The parser gives up on alias bombs and hostile nesting by throwing.
    return { reason: thrown instanceof Error ? thrown.message : "not YAML" };
  }
}

function contextOf(value: unknown): Reading {
  // A newer version is told first: its other fields may well look broken to us.
  if (isRecord(value) && typeof value["version"] === "number" && value["version"] > 1) {
    return { kind: "unsupported", version: value["version"] };
  }
  const context = DirectoryContext.safeParse(value);
  if (context.success) return { kind: "read", context: context.data };
  return { kind: "corrupt", reason: z.prettifyError(context.error) };
}
