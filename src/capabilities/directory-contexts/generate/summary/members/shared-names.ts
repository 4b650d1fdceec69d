import { pluralOf, singularOf } from "../words.ts";
import {
  AUXILIARY,
  counted,
  GENERIC,
  isAboutMembers,
  isSpread,
  type Member,
  membersPhrase,
  unique,
  type Words,
  withoutTrailing,
} from "./phrases.ts";

/** Members whose names end with the same words. `own` is the last word of the directory's name. */
export function membersByName(names: readonly Member[], own: string, files: number): string {
  const concrete = names.filter(({ words }) => !isAboutMembers(words));
  const members = unique(concrete.map(({ words, file }) => ({ words: withoutTrailing(words), file }))).filter(
    ({ words }) => !AUXILIARY.has(words.at(-1) ?? ""),
  );
  const counts = counted(members.map(headOf));
  const named = counts.find(([head]) => head === own);
  const best = named && named[1] * 2 > (counts[0]?.[1] ?? 0) ? named : counts[0];
  if (best === undefined) return "";
  const [head, count] = best;
  if (count < 3 || count < members.length * (head === own ? 0.3 : 0.6) || head.length < 3 || /\d/.test(head))
    return "";
  const alike = members.filter((member) => headOf(member) === head);
  return isSpread(alike, files, head === own) ? sentenceOf(alike.map(({ words }) => words)) : "";
}

const headOf = ({ words }: Member) => singularOf(words.at(-1) ?? "");

/** The kind is the suffix and the prefix that nearly all members share; the rest tells them apart. */
function sentenceOf(members: readonly Words[]): string {
  const suffix = sharedEnd(members);
  const prefix = sharedEnd(members.map((words) => words.slice(0, -suffix.length).toReversed())).toReversed();
  const variants = members.map((words) => {
    const rest = words.slice(0, -suffix.length);
    return prefix.every((word, at) => rest[at] === word) ? rest.slice(prefix.length) : rest;
  });
  const head = suffix.at(-1) ?? "";
  return membersPhrase([...prefix, ...suffix.slice(0, -1), pluralOf(singularOf(head))], variants);
}

/** The last words that at least four of five lists share, if these lists have more words than that. */
function sharedEnd(lists: readonly Words[]): Words {
  const shared: string[] = [];
  for (;;) {
    const longer = lists.filter((words) => words.length > shared.length);
    const [best] = counted(longer.map((words) => words[words.length - 1 - shared.length] ?? ""));
    if (!best || best[1] < lists.length * 0.8 || best[1] < 3 || GENERIC.has(best[0])) return shared;
    shared.unshift(best[0]);
  }
}
