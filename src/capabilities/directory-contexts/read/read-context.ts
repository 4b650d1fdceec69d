import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type Document, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { errnoOf } from "../../../core/errors.ts";
import { DirectoryContext, isRecord } from "../schema.ts";

export type ContextReading =
  | { readonly kind: "read"; readonly context: DirectoryContext }
  | { readonly kind: "missing" }
  | { readonly kind: "unsupported"; readonly version: number }
  | { readonly kind: "corrupt"; readonly reason: string };

/** Far above any real context. Larger files are refused before parsing. */
const MAX_BYTES = 128 * 1024;
/** Limits alias bombs; real files use a few aliases. */
const MAX_ALIASES = 100;
/** The parser is slow on these characters: a small file of them would block everything else. */
const MAX_STRUCTURE = 5_000;
const MAX_NESTING = 100;
const MAX_TOP_LINES = 1_000;
/** Enough to see what is wrong, even if a file has thousands of unknown keys. */
const MAX_REASON = 500;

/** Reads one file, never through a link, never blocking on a FIFO, never more than the limit. */
export function readContextFile(file: string): ContextReading {
  const text = readBounded(file);
  return typeof text === "string" ? parseContext(text) : text;
}

/** The file's text, or why there is none. */
export function readBounded(
  file: string,
): string | Exclude<ContextReading, { kind: "read" | "unsupported" }> {
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

export function parseContext(text: string): ContextReading {
  const parsed = parseYaml(text);
  return "reason" in parsed ? { kind: "corrupt", reason: parsed.reason } : contextOf(parsed.value);
}

/** YAML 1.2 core schema, bounded. One document, no duplicate keys. */
export function parseYaml(text: string): { readonly value: unknown } | { readonly reason: string } {
  const hostile = hostileReason(text);
  if (hostile !== undefined) return { reason: hostile };
  try {
    const lineCounter = new LineCounter();
    // The parser's pretty errors and its check for duplicate keys take quadratic time.
    // Its warnings would print the project's text to the terminal.
    const quiet = { prettyErrors: false, logLevel: "error" } as const;
    const document = parseDocument(text, { ...quiet, uniqueKeys: false, lineCounter });
    const problem = document.errors[0] ?? duplicateKey(document);
    if (problem) {
      const { line, col } = lineCounter.linePos(problem.pos[0]);
      return { reason: `${problem.message} at line ${line}, column ${col}` };
    }
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (thrown) {
    // The parser throws on alias bombs and hostile nesting.
    return { reason: thrown instanceof Error ? thrown.message : "not YAML" };
  }
}

/** Why a text is too hostile for the parser, found in one pass. */
function hostileReason(text: string): string | undefined {
  if (text.length > MAX_BYTES) return `larger than ${MAX_BYTES} bytes`;
  let structure = 0;
  let nesting = 0;
  for (const [sign] of text.matchAll(/[[\]{}&*!%]/g)) {
    structure += 1;
    if (sign === "[" || sign === "{") nesting += 1;
    else if (nesting > 0 && (sign === "]" || sign === "}")) nesting -= 1;
    if (nesting > MAX_NESTING) return `nested deeper than ${MAX_NESTING} brackets`;
    if (structure > MAX_STRUCTURE) return `more than ${MAX_STRUCTURE} brackets, anchors, aliases and tags`;
  }
  for (const [run] of text.matchAll(/(?:[-?][ \t]+){20,}/g)) {
    if (run.replace(/\s/g, "").length > MAX_NESTING) return `nested deeper than ${MAX_NESTING} lists`;
  }
  const topLines = text.match(/^[^\s#-]/gm)?.length ?? 0;
  return topLines > MAX_TOP_LINES ? `more than ${MAX_TOP_LINES} top-level keys` : undefined;
}

function duplicateKey(document: Document.Parsed) {
  let found: { readonly message: string; readonly pos: readonly [number] } | undefined;
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          found = { message: `The key ${String(key.value)} is there twice`, pos: [key.range?.[0] ?? 0] };
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function contextOf(value: unknown): ContextReading {
  // The version is checked first: other fields of a newer version may look invalid.
  if (isRecord(value) && typeof value["version"] === "number" && value["version"] > 1) {
    return { kind: "unsupported", version: value["version"] };
  }
  const context = DirectoryContext.safeParse(value);
  if (context.success) return { kind: "read", context: context.data };
  return { kind: "corrupt", reason: z.prettifyError(context.error).slice(0, MAX_REASON) };
}
