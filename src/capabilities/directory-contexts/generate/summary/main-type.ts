import { byCodeUnit } from "../../../../core/order.ts";
import type { SourceFile } from "../sources/sources.ts";
import { clauseOf } from "./comments.ts";
import { typesOf } from "./members/members.ts";
import { AUXILIARY } from "./members/phrases.ts";
import { singularOf, wordsOf } from "./words.ts";

/**
 * What the comment of a directory's main type says: the type with the directory's name, with that name and one more word, or
 * whose comment has the name; among them, the one that most files mention. Empty if there is none.
 */
export function describeMainType(directoryName: string, sources: readonly SourceFile[]): string {
  const code = sources.filter(({ parsed, isTest }) => parsed && !isTest);
  const identifiers = new Map(code.map((source) => [source, new Set(source.text.match(/\b[A-Za-z_]\w+/g))]));
  const own = wordsOf(directoryName).map(singularOf);
  const candidates = code.flatMap((source) =>
    typesOf(source)
      .filter(({ kind, name }) => kind !== "enum" && !AUXILIARY.has(wordsOf(name).at(-1) ?? ""))
      .map(({ name, doc }) => {
        const mentions = code.filter((other) => other !== source && identifiers.get(other)?.has(name)).length;
        const share = code.length < 3 ? 0 : mentions / (code.length - 1);
        const text = clauseOf(doc, name);
        const isAbout = share >= 0.3 && isNamedIn(text, own);
        return { name, text, likeness: likenessOf(name, own) || Number(isAbout) / 2, share };
      }),
  );
  const [best] = candidates
    .filter(({ text, likeness }) => text !== "" && likeness > 0)
    .sort((a, b) => b.likeness + b.share - a.likeness - a.share || byCodeUnit(a.name, b.name));
  return best?.text ?? "";
}

const isNamedIn = (text: string, own: readonly string[]) =>
  !/^(indicates|allows|enables|used|specifies|returned|can|converts|builds)\b/i.test(text) &&
  own.join("").length > 4 &&
  wordsOf(text).map(singularOf).join("").includes(own.join(""));

/** 2 for the directory's name, 1 for that name and one more word. */
function likenessOf(name: string, own: readonly string[]): number {
  const words = wordsOf(name).map(singularOf);
  if (words.join("") === own.join("")) return 2;
  // `caddytls` for `TLS`
  if (own.length === 1 && words.join("").length > 2 && own[0]?.endsWith(words.join(""))) return 1;
  return words.length === own.length + 1 && own.every((word) => words.includes(word)) ? 1 : 0;
}
