import { flagInstructions, redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import { LruCache } from "../../../core/lru-cache.ts";

const LONGEST_NAME = 160;

/**
 * What stands outside the fences: one line, no Markdown that could open anything, no secrets. A name that reads like
 * orders to an agent cannot be marked as a quoted line is, so `neutral` stands for it.
 */
export function safeName(name: string, neutral: string): string {
  const { plain, isOrder } = names.of(name, () => cleanName(name));
  return isOrder ? neutral : plain;
}

/** A path to open a file by: exact, unless it holds a secret. */
export const safePath = (path: string): string => paths.of(path, () => cleanPath(path)).exact;

/** A path to stand in a code span: what cannot be seen, or would end the span, is written as its number. */
export const shownPath = (path: string): string => paths.of(path, () => cleanPath(path)).shown;

const names = new LruCache<ReturnType<typeof cleanName>>(8_192);
const paths = new LruCache<ReturnType<typeof cleanPath>>(8_192);

function cleanName(name: string) {
  const visible = stripInvisible(name.replaceAll(/\s+/g, " ")).text.trim();
  // Brackets are parts of file names; a link needs another one right after them.
  const plain = redactSecrets(visible)
    .text.replaceAll(/[`<>!#|*]/g, "")
    .replaceAll(/\](?=[([])/g, "");
  return {
    plain: plain.length > LONGEST_NAME ? `${beginning(plain)}…` : plain,
    isOrder: readsLikeOrders(visible),
  };
}

/** Not the first half of a character that takes two places. */
const beginning = (name: string): string => name.slice(0, LONGEST_NAME - 1).replace(/[\ud800-\udbff]$/, "");

const UNSEEN = /[`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function cleanPath(path: string) {
  const exact = redactSecrets(path).text;
  const shown = exact.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const isOrder = readsLikeOrders(stripInvisible(path).text);
  return { exact, shown: isOrder ? "path withheld: reads like orders to an agent" : shown };
}

/** Also where dashes stand for the spaces, as in a file named after its title. */
const readsLikeOrders = (name: string): boolean =>
  flagInstructions(`${name}\n\n${name.replaceAll(/[-_.\s/\\]+/g, " ")}`).length > 0;
