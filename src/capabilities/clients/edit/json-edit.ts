import { isDeepStrictEqual } from "node:util";
import { createScanner, type Node } from "jsonc-parser";
import type { Entry } from "../client.ts";
import { lineEnding, type Refusal } from "./config-file.ts";
import { commentsOf, follow, KIND, readJsonc, type Span, spanOf } from "./json-text.ts";
import { nested, valueAt, without } from "./value-path.ts";

/** The text with the entry at a path of keys; only inserts, or replaces the value that is there. */
export function setJsonEntry(
  text: string,
  path: readonly string[],
  entry: Entry,
): { text: string } | Refusal {
  if (text.trim() === "") return { text: `${JSON.stringify(nested(path, entry), null, 2)}\n` };
  const found = follow(text, path);
  if ("refused" in found) return found;
  const { object, depth, property } = found;
  if (property === undefined) {
    const [key = "", ...deeper] = path.slice(depth);
    const value = nested(deeper, entry);
    return checked(text, insert(text, { object, depth: depth + 1, key, value }), { path, entry });
  }
  const old = property.children?.[1];
  if (old === undefined) return { refused: "its entry has no value" };
  const { start, end } = spanOf(old);
  const printed = print(entry, { text, indent: lineIndent(text, start) });
  const edited = text.slice(0, start) + printed + text.slice(end);
  return checked(text, edited, { path, entry, replaced: spanOf(property) });
}

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

interface Edit {
  readonly path: readonly string[];
  readonly entry: Entry;
  /** What stood there before; comments inside it may go. */
  readonly replaced?: Span;
}

/** An edit is good where the entry is there, and all else is as it was, comments included. */
function checked(before: string, after: string, { path, entry, replaced }: Edit): { text: string } | Refusal {
  const old = readJsonc(before);
  const now = readJsonc(after);
  const refusal = { refused: "its form is unusual; add the entry by hand (--print shows it)" };
  if ("refused" in old || "refused" in now) return refusal;
  const isThere = isDeepStrictEqual(valueAt(now.value, path), entry);
  const isRestKept = isDeepStrictEqual(without(old.value, path), without(now.value, path));
  const areCommentsKept = commentsOf(before, replaced).every((comment) => after.includes(comment));
  return isThere && isRestKept && areCommentsKept ? { text: after } : refusal;
}
