import { isDeepStrictEqual } from "node:util";
import { createScanner, type Node } from "jsonc-parser";
import type { Refusal } from "./config-file.ts";
import { commentsOf, follow, KIND, readJsonc, type Span, spanOf } from "./json-text.ts";
import { valueAt, without } from "./value-path.ts";

/** The text without the entry and without one comma beside it; comments around it are not ours and stay. */
export function removeJsonEntry(text: string, path: readonly string[]): { text: string } | Refusal {
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
  return checked(text, edited, { path, own: spanOf(property) });
}

/** The comma behind the property, else the one before it. */
function commaBeside(text: string, object: Node, property: Node): Span | undefined {
  const siblings = object.children ?? [];
  const place = siblings.indexOf(property);
  const { start, end } = spanOf(property);
  const before = siblings[place - 1];
  const close = object.offset + object.length - 1;
  const behind = commaBetween(text, end, siblings[place + 1]?.offset ?? close);
  return behind ?? (before && commaBetween(text, before.offset + before.length, start));
}

function commaBetween(text: string, from: number, to: number): Span | undefined {
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

/** The property with the whole of its lines where nothing but its comma stands there too. */
function lineOf(text: string, own: Span): Span {
  const start = own.start - (/[ \t]*$/.exec(text.slice(0, own.start))?.[0] ?? "").length;
  const rest = /^,?[ \t]*\r?\n/.exec(text.slice(own.end))?.[0];
  return text[start - 1] === "\n" && rest !== undefined ? { start, end: own.end + rest.length } : own;
}

/** A removal is good where the entry has gone and all else is as it was, comments included. */
function checked(
  before: string,
  after: string,
  { path, own }: { readonly path: readonly string[]; readonly own: Span },
): { text: string } | Refusal {
  const old = readJsonc(before);
  const now = readJsonc(after);
  const isGood =
    !("refused" in old) &&
    !("refused" in now) &&
    valueAt(now.value, path) === undefined &&
    isDeepStrictEqual(without(old.value, path), without(now.value, path)) &&
    isDeepStrictEqual(commentsOf(before, own), commentsOf(after));
  return isGood ? { text: after } : { refused: "its form is unusual" };
}
