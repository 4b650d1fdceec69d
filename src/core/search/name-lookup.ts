import type { IndexView } from "./index-view.ts";
import type { AskedName, DefinedName } from "./rank/candidate.ts";
import { nearestNames } from "./rank/nearest-names.ts";
import { memberOf } from "./rank/question.ts";
import {
  literalMemberTerm,
  memberNameTerm,
  nameOfMemberTerm,
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

/** Names of the index that differ little from one that stands nowhere in it; `undefined` if it does. */
export function namesNear(view: IndexView, query: string): string[] | undefined {
  const wanted = plainName(memberOf(query.trim()));
  if (view.segments.some((segment) => segment.postings(wanted).length > 0)) return undefined;
  const names = view.segments.flatMap((segment) =>
    segment.vocabulary().flatMap((term) => nameOfMemberTerm(term) ?? []),
  );
  return nearestNames(wanted, names);
}

/** `Store.get` is a whole title; `get` may be the member of any. */
const termOf = ({ text }: AskedName): string =>
  /[.:#\\]|->/.test(text) ? wholeNameTerm(text) : memberNameTerm(text);

function chunksWith(view: IndexView, term: string, mask: Uint8Array): Set<number> {
  const chunks = new Set<number>();
  for (const [index, segment] of view.segments.entries()) {
    for (const posting of segment.postings(term)) {
      const ordinal = view.base(index) + (posting >>> 8);
      if (mask[ordinal] !== 0) chunks.add(ordinal);
    }
  }
  return chunks;
}
