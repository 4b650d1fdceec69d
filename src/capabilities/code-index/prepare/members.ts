import type { ParsedMember, ParsedSymbol } from "../../../core/parse/parse.ts";
import { type CodeChunk, type CodeSymbol, memberSymbol } from "./chunk.ts";

/** More names in one chunk are data. */
const MAX_MEMBERS = 200;
/** A class that is one chunk stands before its methods, which have chunks of their own. */
const MAX_CHUNKS_BACK = 100;

/** Adds each member to the chunk that its line is in. Chunks and members are in the order of the lines. */
export function addMembers(
  chunks: readonly CodeChunk[],
  members: readonly ParsedMember[],
): readonly CodeChunk[] {
  if (members.length === 0) return chunks;
  const added = new Map<number, CodeSymbol[]>();
  let next = 0;
  for (const member of members) {
    while (next < chunks.length && (chunks[next]?.startLine ?? 0) <= member.line) next++;
    const place = placeOf(chunks, member, next - 1);
    const names = added.get(place) ?? [];
    if (place < 0 || names.length >= MAX_MEMBERS) continue;
    names.push(memberSymbol(member));
    added.set(place, names);
  }
  return chunks.map((chunk, place) => {
    const names = added.get(place);
    return names ? { ...chunk, members: names } : chunk;
  });
}

/** A file with more top-level keys is a table. */
const MAX_OUTLINE = 200;
const MAX_OUTLINE_SIGNATURE = 80;

/** Headings and keys as names of the chunks of their file. */
export const outlineMembers = (path: string, entries: readonly ParsedSymbol[]): readonly ParsedMember[] =>
  entries.slice(0, MAX_OUTLINE).map(({ name, kind, signature, startLine, exported }) => ({
    name,
    kind,
    signature: signature.slice(0, MAX_OUTLINE_SIGNATURE),
    line: startLine,
    exported,
    parent: path.slice(path.lastIndexOf("/") + 1),
  }));

/** The chunk of the symbol that holds the member, else the last one with its line; -1 if there is none. */
function placeOf(chunks: readonly CodeChunk[], { line, parent }: ParsedMember, last: number): number {
  let found = -1;
  for (let place = last; place >= Math.max(0, last - MAX_CHUNKS_BACK); place--) {
    const chunk = chunks[place];
    if (!chunk || chunk.endLine < line) continue;
    if (chunk.symbols[0]?.name === parent) return place;
    if (found < 0) found = place;
  }
  return found;
}
