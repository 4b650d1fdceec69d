import { isDeepStrictEqual } from "node:util";
import {
  createScanner,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { lineEnding, type Refusal } from "./config-file.ts";
import type { Entry } from "./known-clients.ts";

/** The scanner's kinds of tokens: its own names exist for the compiler only. */
const KIND = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15, end: 17 } as const;
const OPTIONS = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true } as const;

/** What a JSON file with comments holds; a refusal where it cannot be read without guessing. */
export function readJsonc(text: string): { readonly value: unknown } | Refusal {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, OPTIONS);
  const [first] = errors;
  if (first === undefined) return { value };
  const line = text.slice(0, first.offset).split("\n").length;
  return { refused: `it cannot be read as JSON (line ${line}: ${printParseErrorCode(first.error)})` };
}

/** The text with the entry at a path of keys; only inserts, or replaces the value that is there. */
export function setJsonEntry(
  text: string,
  path: readonly string[],
  entry: Entry,
): { text: string } | Refusal {
  if (text.trim() === "") return { text: `${JSON.stringify(nested(path, entry), null, 2)}\n` };
  let node = parseTree(text, [], OPTIONS);
  for (const [depth, key] of path.entries()) {
    if (node?.type !== "object")
      return { refused: `${path.slice(0, depth).join(".") || "its content"} is no object` };
    const found = propertiesOf(node, key);
    if (found.length > 1) return { refused: `it has "${key}" twice` };
    const [property] = found;
    if (property === undefined) {
      const value = nested(path.slice(depth + 1), entry);
      return checked(text, insert(text, { object: node, depth: depth + 1, key, value }), path, entry);
    }
    node = property.children?.[1];
  }
  if (node === undefined) return { refused: "its entry has no value" };
  const indent = lineIndent(text, node.offset);
  const printed = print(entry, { text, indent });
  const edited = text.slice(0, node.offset) + printed + text.slice(node.offset + node.length);
  return checked(text, edited, path, entry);
}

/** The text without the entry, and without one comma beside it. */
export function removeJsonEntry(text: string, path: readonly string[]): { text: string } | Refusal {
  let node = parseTree(text, [], OPTIONS);
  let property: Node | undefined;
  for (const key of path) {
    property = node === undefined ? undefined : propertiesOf(node, key)[0];
    node = property?.children?.[1];
  }
  const siblings = property?.parent?.children ?? [];
  if (property === undefined) return { text };
  const place = siblings.indexOf(property);
  const before = siblings[place - 1];
  const after = siblings[place + 1];
  const start = before ? before.offset + before.length : property.offset;
  const end = before || !after ? property.offset + property.length : after.offset;
  return { text: text.slice(0, start) + text.slice(end) };
}

const propertiesOf = (node: Node, key: string): Node[] =>
  (node.children ?? []).filter((property) => property.children?.[0]?.value === key);

const nested = (path: readonly string[], entry: Entry): Entry =>
  path.reduceRight<Entry>((value, key) => ({ [key]: value }), entry);

interface Insertion {
  readonly object: Node;
  readonly depth: number;
  readonly key: string;
  readonly value: unknown;
}

/** Adds a property after the last one, behind the comment that ends its line. */
function insert(text: string, { object, depth, key, value }: Insertion): string {
  const eol = lineEnding(text);
  const unit = indentUnit(text);
  const last = object.children?.at(-1);
  const isOnOwnLine = last !== undefined && /(^|\n)[ \t]*$/.test(text.slice(0, last.offset));
  const indent = isOnOwnLine ? lineIndent(text, last.offset) : unit.repeat(depth);
  const property = `${JSON.stringify(key)}: ${print(value, { text, indent })}`;
  const close = object.offset + object.length - 1;
  if (last === undefined) {
    const tail = endOfComments(text, object.offset + 1, close).end;
    const closing = text.slice(tail, close).includes("\n") ? "" : eol + unit.repeat(depth - 1);
    return `${text.slice(0, tail)}${eol}${indent}${property}${closing}${text.slice(tail)}`;
  }
  const valueEnd = last.offset + last.length;
  const { end, hasComma } = endOfComments(text, valueEnd, close, true);
  const closing = text.slice(end, close).includes("\n") ? "" : eol + unit.repeat(depth - 1);
  const comma = hasComma ? "" : ",";
  const trailing = hasComma ? "," : "";
  return `${text.slice(0, valueEnd)}${comma}${text.slice(valueEnd, end)}${eol}${indent}${property}${trailing}${closing}${text.slice(end)}`;
}

/** Where comments, and a comma, after `start` end; with `sameLine` those of its line only. */
function endOfComments(text: string, start: number, close: number, sameLine = false) {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  let end = start;
  let hasComma = false;
  let isNewLine = false;
  for (let token = scanner.scan(); scanner.getTokenOffset() < close; token = scanner.scan()) {
    if (token === KIND.end) break;
    if (token === KIND.lineBreak) isNewLine = true;
    if (token === KIND.comma) hasComma = true;
    const isMeant = token === KIND.comma || !sameLine || !isNewLine;
    if (isMeant && token !== KIND.lineBreak && token !== KIND.space)
      end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return { end, hasComma };
}

function print(value: unknown, { text, indent }: { text: string; indent: string }): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll("\n", lineEnding(text) + indent);
}

const indentUnit = (text: string): string => /\n([ \t]+)(?=\S)/.exec(text)?.[1] ?? "  ";
const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";

/** An edit is good where the entry is there, and all else is as it was, comments included. */
function checked(
  before: string,
  after: string,
  path: readonly string[],
  entry: Entry,
): { text: string } | Refusal {
  const old = readJsonc(before);
  const now = readJsonc(after);
  const refusal = { refused: "its form is unusual; add the entry by hand (--print shows it)" };
  if ("refused" in old || "refused" in now) return refusal;
  const isThere = isDeepStrictEqual(valueAt(now.value, path), entry);
  const rest = [old.value, now.value].map((value) => without(value, path));
  const isRestKept = isDeepStrictEqual(rest[0], rest[1]);
  const areCommentsKept = commentsOf(before, path).every((comment) => after.includes(comment));
  return isThere && isRestKept && areCommentsKept ? { text: after } : refusal;
}

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

/** A copy without what stands at the path, and without what is empty when it is gone. */
export function without(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isRecord(value)) return undefined;
  const inner = without(value[key], rest);
  const { [key]: _gone, ...others } = value;
  const isGone = inner === undefined || (isRecord(inner) && Object.keys(inner).length === 0);
  return isGone ? others : { ...others, [key]: inner };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The comments outside the entry. */
function commentsOf(text: string, path: readonly string[]): string[] {
  const rest = removeJsonEntry(text, path);
  const scanner = createScanner("refused" in rest ? text : rest.text, false);
  const comments: string[] = [];
  for (let token = scanner.scan(); token !== KIND.end; token = scanner.scan()) {
    if (token === KIND.lineComment || token === KIND.blockComment) comments.push(scanner.getTokenValue());
  }
  return comments;
}
