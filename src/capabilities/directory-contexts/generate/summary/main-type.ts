import type { SourceFile } from "../sources/sources.ts";
import { clauseOf } from "./comments.ts";
import { typesOf } from "./members/members.ts";
import { singularOf, wordsOf } from "./words.ts";

/** What the comment of the type with the directory's name says; `Deployer` in `deploy` too. Empty if there is none, or several. */
export function describeMainType(directoryName: string, sources: readonly SourceFile[]): string {
  const own = joined(directoryName);
  const named = sources
    .filter(({ parsed, isTest }) => parsed && !isTest)
    .flatMap(typesOf)
    .filter(({ kind, name }) => kind !== "enum" && isNamedAfter(joined(name), own))
    .filter(({ kind, signature }) => kind !== "annotation" && !signature.includes("@interface"));
  const [only, ...others] = named;
  const said = only && others.length === 0 ? clauseOf(only.doc, only.name) : "";
  return ABOUT_ITSELF.test(said) ? "" : said;
}

/** A class of static functions, or how one class is written. */
const ABOUT_ITSELF = /^(static |an? )?(utility|utilities|helpers?|static)\b|^\w+\.\w+/i;

const joined = (name: string) => wordsOf(name).map(singularOf).join("");

const isNamedAfter = (name: string, own: string) =>
  name === own || (name.startsWith(own) && /^[a-z]?[eo]?r$/.test(name.slice(own.length)));
