import { isDeepStrictEqual } from "node:util";
import { createScanner, type Node } from "jsonc-parser";
import type { ServerEntry } from "../client.ts";
import { type FileRefusal, lineEnding } from "./config-file.ts";
import { commentsOf, follow, KIND, readJsonc, spanOf, type TextSpan } from "./json-text.ts";
import { nested, valueAt, without } from "./value-path.ts";

// `modify` of jsonc-parser is not used: it reformats the lines it touches and moves or deletes comments beside them.

/** The text with the entry at a path of keys. It inserts a property, or replaces the value of an existing one. */
export function setJsonEntry(
  text: string,
  path: readonly string[],
  entry: ServerEntry,
): { text: string } | FileRefusal {
  if (text.trim() === "") return { text: `${JSON.stringify(nested(path, entry), null, 2)}\n` };
  const found = follow(text, path);
  if ("refused" in found) return found;
  const { object, depth, property } = found;
  if (property === undefined) {
    const [key = "", ...deeper] = path.slice(depth);
    const value = nested(deeper, entry);
    return checkedInsertion(text, insert(text, { object, depth: depth + 1, key, value }), { path, entry });
  }
  const old = property.children?.[1];
  if (old === undefined) return { refused: "its entry has no value" };
  const { start, end } = spanOf(old);
  const printed = print(entry, { text, indent: lineIndent(text, start) });
  const edited = text.slice(0, start) + printed + text.slice(end);
  return checkedInsertion(text, edited, { path, entry, replaced: spanOf(property) });
}

/** The text without the entry and one comma beside it; comments around it stay. */
export function removeJsonEntry(text: string, path: readonly string[]): { text: string } | FileRefusal {
  const found = follow(text, path);
  if ("refused" in found) return found;
  const { object, property } = found;
  if (property === undefined) return { text };
  const line = lineOf(text, spanOf(property));
  const comma = commaBeside(text, object, property);
  const isOnLine = comma !== undefined && comma.start >= line.start && comma.start < line.end;
  const edited = (comma === undefined || isOnLine ? [line] : [line, comma])
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end }) => now.slice(0, start) + now.slice(end), text);
  const areCommentsKept = isDeepStrictEqual(commentsOf(text, spanOf(property)), commentsOf(edited));
  return areCommentsKept && isOnlyChange(text, edited, { path, entry: undefined })
    ? { text: edited }
    : { refused: "its form is unusual" };
}

interface Insertion {
  readonly object: Node;
  readonly depth: number;
  readonly key: string;
  readonly value: unknown;
}

/** Adds a property after the last one and after the comment at the end of its line. */
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

/** The end of the comments and the comma after `start`; with `sameLine`, only those on the same line. */
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

/** The comma after the property, else the one before it. */
function commaBeside(text: string, object: Node, property: Node): TextSpan | undefined {
  const siblings = object.children ?? [];
  const place = siblings.indexOf(property);
  const { start, end } = spanOf(property);
  const before = siblings[place - 1];
  const close = object.offset + object.length - 1;
  const behind = commaBetween(text, end, siblings[place + 1]?.offset ?? close);
  return behind ?? (before && commaBetween(text, before.offset + before.length, start));
}

function commaBetween(text: string, from: number, to: number): TextSpan | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  for (
    let token = scanner.scan();
    token !== KIND.end && scanner.getTokenOffset() < to;
    token = scanner.scan()
  )
    if (token === KIND.comma) return { start: scanner.getTokenOffset(), end: scanner.getTokenOffset() + 1 };
  return undefined;
}

/** The property with its whole lines, if nothing but its comma is there too. */
function lineOf(text: string, own: TextSpan): TextSpan {
  const start = own.start - (/[ \t]*$/.exec(text.slice(0, own.start))?.[0] ?? "").length;
  const rest = /^,?[ \t]*\r?\n/.exec(text.slice(own.end))?.[0];
  return text[start - 1] === "\n" && rest !== undefined ? { start, end: own.end + rest.length } : own;
}

interface CheckedEdit {
  readonly path: readonly string[];
  /** `undefined` if the entry was removed. */
  readonly entry: ServerEntry | undefined;
  /** The property that was replaced; comments inside it may go. */
  readonly replaced?: TextSpan;
}

/** Refuses an edit that changed anything but the entry, comments included. */
function checkedInsertion(before: string, after: string, edit: CheckedEdit): { text: string } | FileRefusal {
  const areCommentsKept = commentsOf(before, edit.replaced).every((comment) => after.includes(comment));
  return areCommentsKept && isOnlyChange(before, after, edit)
    ? { text: after }
    : { refused: "its form is unusual; add the entry by hand (--print shows it)" };
}

function isOnlyChange(before: string, after: string, { path, entry }: CheckedEdit): boolean {
  const old = readJsonc(before);
  const now = readJsonc(after);
  if ("refused" in old || "refused" in now) return false;
  const isRestKept = isDeepStrictEqual(without(old.value, path), without(now.value, path));
  return isRestKept && isDeepStrictEqual(valueAt(now.value, path), entry);
}
