import { pluralOf, singularOf } from "../words.ts";
import {
  AUXILIARY,
  counted,
  isAboutMembers,
  isSpread,
  type Member,
  membersPhrase,
  sharedEnd,
  unique,
  type Words,
  withoutTrailing,
} from "./phrases.ts";

/**
 * Members whose names end with the same words. `own` is the last word of the directory's name; `beside` are names of what is no
 * member, but shows what else the directory has.
 */
export function membersByName(
  names: readonly Member[],
  {
    own,
    files,
    beside = [],
  }: { readonly own: string; readonly files: number; readonly beside?: readonly Words[] },
): string {
  const concrete = names.filter(({ words }) => !isAboutMembers(words));
  const all = unique(concrete.map(({ words, file }) => ({ words: withoutTrailing(words), file })));
  const counts = counted(all.map(headOf));
  const named = counts.find(([head]) => head === own);
  const best = named && named[1] * 2 > (counts[0]?.[1] ?? 0) ? named : counts[0];
  if (best === undefined) return "";
  const [head, count] = best;
  const isKind = head.length > 2 && !/\d/.test(head) && !AUXILIARY.has(head);
  const others = beside.filter((words) => singularOf(withoutTrailing(words).at(-1) ?? "") !== head);
  const total = all.length + others.length;
  if (!isKind || count < 3 || count < total * (head === own ? 0.4 : 0.6)) return "";
  const alike = all.filter((member) => headOf(member) === head);
  return isSpread(alike, files) ? sentenceOf(alike.map(({ words }) => words)) : "";
}

const headOf = ({ words }: Member) => singularOf(words.at(-1) ?? "");

/** The kind is the end that nearly all members share; the rest tells them apart. */
function sentenceOf(members: readonly Words[]): string {
  const end = sharedEnd(members);
  const kind = [...end.slice(0, -1), pluralOf(singularOf(end.at(-1) ?? ""))];
  return membersPhrase(
    kind,
    members.map((words) => words.slice(0, -end.length)),
  );
}
