import { byCodeUnit } from "../../../../core/order.ts";
import type { SourceFile } from "../sources/sources.ts";
import { clauseOf } from "./comments.ts";
import { typesOf } from "./members/members.ts";
import { AUXILIARY } from "./members/phrases.ts";
import { singularOf, wordsOf } from "./words.ts";

/**
 * What the comment of a directory's main type says: the type with the directory's name; if there is none, the one with that
 * name and one more word that most files mention. Empty if there is none.
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
        return { name, text: clauseOf(doc, name), likeness: likenessOf(name, own), share };
      }),
  );
  const most = Math.max(1, ...candidates.map(({ likeness }) => likeness));
  const alike = candidates.filter(({ likeness }) => likeness === most);
  // In a directory with a plural name, several types of that name are its members.
  if (alike.length > 1 && wordsOf(directoryName).join() !== own.join()) return "";
  const [best] = alike
    .filter(({ text }) => text !== "")
    // Among many files, or beside others like it, `ServerCache` is a part of a server, unless many files use it.
    .filter(
      ({ likeness, share }) => likeness === 2 || (code.length < 4 && alike.length === 1) || share >= 0.3,
    )
    .sort((a, b) => b.share - a.share || byCodeUnit(a.name, b.name));
  return best?.text ?? "";
}

/** 2 for the directory's name, 1 for that name and one more word. */
function likenessOf(name: string, own: readonly string[]): number {
  const words = wordsOf(name).map(singularOf);
  if (words.join("") === own.join("")) return 2;
  // `caddytls` for `TLS`
  if (own.length === 1 && words.join("").length > 2 && own[0]?.endsWith(words.join(""))) return 1;
  return words.length === own.length + 1 && own.every((word) => words.includes(word)) ? 1 : 0;
}
