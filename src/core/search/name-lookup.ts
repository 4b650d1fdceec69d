import { byCodeUnit } from "../order.ts";
import type { IndexView } from "./index-view.ts";
import type { AskedName, DefinedName } from "./rank/candidate.ts";
import { nearestNames } from "./rank/nearest-names.ts";
import { memberOf } from "./rank/question.ts";
import {
  hasPlainName,
  lesserNameTerm,
  literalMemberTerm,
  memberNameTerm,
  plainName,
  wholeNameTerm,
} from "./text/names.ts";

/** A name with more definitions says nothing about where to look, unless it is all that was asked for. */
const MAX_DEFINITIONS = 60;

/** Chunks that define a name of the question, found by their titles, in the lists or not. */
export function definitionsOf(
  view: IndexView,
  names: readonly AskedName[],
  mask: Uint8Array,
): Map<number, DefinedName[]> {
  const defined = new Map<number, DefinedName[]>();
  for (const name of names) {
    const chunks = chunksWith(view, termOf(name), mask);
    const isAll = name.look === "whole" || name.look === "nearest";
    if (chunks.size === 0) addLesserNames(view, { name, mask, defined });
    if (chunks.size === 0 || (!isAll && chunks.size > MAX_DEFINITIONS)) continue;
    const literal = chunksWith(view, literalMemberTerm(name.text), mask);
    for (const chunk of chunks) {
      const known = defined.get(chunk) ?? [];
      known.push({ name, isLiteral: literal.has(chunk), definitions: chunks.size });
      defined.set(chunk, known);
    }
  }
  return defined;
}

/**
 * A field answers for a name that nothing else has, with the weight of a name within a sentence, and only if the name is
 * all that was asked for: a sentence that mentions a field is mostly about the code that uses it.
 */
function addLesserNames(
  view: IndexView,
  { name, mask, defined }: { name: AskedName; mask: Uint8Array; defined: Map<number, DefinedName[]> },
): void {
  if (name.look !== "whole") return;
  const chunks = chunksWith(view, lesserNameTerm(name.text), mask);
  if (chunks.size > MAX_DEFINITIONS) return;
  for (const chunk of chunks) {
    const known = defined.get(chunk) ?? [];
    known.push({ name: { ...name, look: "identifier" }, isLiteral: true, definitions: chunks.size });
    defined.set(chunk, known);
  }
}

/** Ids of the documents with a chunk that has this term. */
export function documentsWithTerm(view: IndexView, term: string): string[] {
  const ids: string[] = [];
  for (const segment of view.segments) {
    let last = -1;
    for (const posting of segment.postings(term)) {
      const local = posting >>> 8;
      if (!segment.isLive(local)) continue;
      const document = segment.documentOf(local);
      if (document !== last) ids.push(segment.documentId(document));
      last = document;
    }
  }
  return ids;
}

export interface UnknownName {
  /** Names of the index that differ little from it, as they are written; best first. */
  readonly nearest: readonly string[];
  /** Whether it is at least a word of the text. */
  readonly isMentioned: boolean;
}

/** What is known of a name that no symbol has; `undefined` if one has it, or if it may be an ordinary word. */
export function unknownName(view: IndexView, query: string, isIdentifier: boolean): UnknownName | undefined {
  const wanted = plainName(memberOf(query.trim()));
  const isMentioned = view.hasPostings(wanted);
  const terms = [memberNameTerm(wanted), wholeNameTerm(query), lesserNameTerm(query)];
  if (terms.some((term) => view.hasPostings(term)) || (isMentioned && !isIdentifier)) return undefined;
  const names = view.segments.map((segment) => segment.names().plain);
  const near = nearestNames(wanted, names);
  return { nearest: near.map((name) => writtenName(view, name)), isMentioned };
}

/** Of several ways to write it the first by code unit, so that it does not matter how the index is stored. */
function writtenName(view: IndexView, plain: string): string {
  const ways = view.segments.flatMap((segment) =>
    segment.names().written.filter((name) => hasPlainName(name, plain)),
  );
  return ways.sort(byCodeUnit)[0] ?? plain;
}

/** `Store.get` is a whole title; `get` may be the member of any. */
const termOf = ({ text }: AskedName): string =>
  /[.:#\\]|->/.test(text) ? wholeNameTerm(text) : memberNameTerm(text);

function chunksWith(view: IndexView, term: string, mask: Uint8Array): Set<number> {
  const chunks = new Set<number>();
  for (const [index, list] of view.postings(term).entries()) {
    for (const posting of list) {
      const ordinal = view.base(index) + (posting >>> 8);
      if (mask[ordinal] !== 0) chunks.add(ordinal);
    }
  }
  return chunks;
}
