import { plainName } from "../text/names.ts";
import type { DefinedName, RankCandidate } from "./candidate.ts";
import type { PathName } from "./path-words.ts";
import { memberOf, type RankQuestion } from "./question.ts";
import type { RankWeights } from "./weights.ts";

const TYPE_KINDS = new Set(
  "class struct interface trait enum type object module record protocol namespace union".split(" "),
);

/** Bonus for the chunk that defines a name of the question, more if its file is named after it. */
export function definitionBonus(candidate: RankCandidate, path: PathName, weights: RankWeights): number {
  let best = 0;
  for (const defined of candidate.defines) {
    const bonus = worthOf(defined, weights) * fileFactor(defined, path, weights);
    if (bonus > best) best = bonus;
  }
  return TYPE_KINDS.has(candidate.kind) ? best * weights.typeDefinition : best;
}

/** Bonus for the file that has the name that is asked for, whether or not anything in it does: `response` is `response.js`. */
export function moduleBonus(path: PathName, { isName, names }: RankQuestion, weights: RankWeights): number {
  const isModule = isName && names.some(({ text }) => isFileOf(path, plainName(memberOf(text))));
  return isModule ? weights.module : 0;
}

function worthOf({ name, isLiteral, definitions }: DefinedName, weights: RankWeights): number {
  const sameCase = isLiteral ? 1 : weights.otherCase;
  if (name.look === "whole") return weights.definition * sameCase;
  if (name.look === "nearest") return weights.nearestName;
  const rarity = Math.min(1, weights.rareDefinitions / definitions);
  if (name.look === "identifier") return weights.mentionedIdentifier * sameCase * rarity;
  if (name.look === "capital") return (isLiteral ? weights.mentionedCapital : weights.mentionedWord) * rarity;
  return weights.mentionedWord * rarity;
}

function fileFactor({ name }: DefinedName, path: PathName, weights: RankWeights): number {
  const member = plainName(memberOf(name.text));
  if (isFileOf(path, member)) return weights.fileOfName;
  return path.stem === member || path.stem === `${member}s` ? weights.partFileOfName : 1;
}

const isFileOf = (path: PathName, name: string): boolean =>
  path.fullStem === name || (path.isNamedByDirectory && path.directory === name);
