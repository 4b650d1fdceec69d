import { flagInstructions, redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import { LruCache } from "../../../core/lru-cache.ts";
import { type Citation, lineNumbersOf, linesLeftOut, type PackItem, type Rendition } from "../item.ts";

const LONGEST_NAME = 160;

/** An item whose text may be shown to a model: invisible characters gone, secrets redacted, orders flagged. */
export interface SafeItem extends Omit<PackItem, "sizes"> {
  readonly sizes: readonly SafeRendition[];
  /** Its score, made comparable with the items of other rooms. */
  readonly value: number;
}
export interface SafeRendition extends Rendition {
  readonly removedCharacters: number;
  readonly redacted: readonly string[];
  /** The citation in a form that is safe outside a fence. */
  readonly where: string;
  /** Lines of the cited file that read like orders to an agent. */
  readonly orders: readonly number[];
}

/** All items are untrusted: anyone who can write to the project or its documents may have written them. */
export function makeSafe(item: PackItem): SafeItem {
  return {
    ...item,
    value: item.score,
    title: safeName(item.title, `${item.kind} (title withheld: reads like orders to an agent)`),
    why: safeName(item.why, "reason withheld: reads like orders to an agent"),
    provenance: safeName(item.provenance, "source withheld: reads like orders to an agent"),
    language: /^[a-z0-9+#-]{1,20}$/.test(item.language) ? item.language : "text",
    sizes: safeSizes(item.sizes),
  };
}

/** If the whole text needed no cleaning, its parts do not need it either. */
function safeSizes([whole, ...smaller]: readonly Rendition[]): SafeRendition[] {
  if (whole === undefined) return [];
  const safe = makeSafeRendition(whole);
  const isClean = safe.text === whole.text && safe.orders.length === 0;
  return [
    safe,
    ...smaller.map((rendition) =>
      isClean && isPartOf(rendition.text, whole.text)
        ? { ...safe, text: rendition.text, ...cited(rendition.citation) }
        : makeSafeRendition(rendition),
    ),
  ];
}

/** Whether a text, apart from its markers for lines left out, consists of lines of the whole. */
function isPartOf(text: string, whole: string): boolean {
  if (whole.includes(text)) return true;
  const pieces: string[][] = [[]];
  for (const line of text.split("\n"))
    if (linesLeftOut(line) > 0) pieces.push([]);
    else pieces.at(-1)?.push(line);
  return pieces.every((piece) => whole.includes(piece.join("\n")));
}

function makeSafeRendition(rendition: Rendition): SafeRendition {
  const { text, citation } = rendition;
  const { orderLines, ...safe } = cleaned.of(text, () => clean(text));
  const numbers = orderLines.length === 0 ? [] : lineNumbersOf(rendition);
  return {
    ...safe,
    ...cited(citation),
    orders: orderLines.map((line) => numbers[line - 1] ?? citation.start),
  };
}

/** The citation keeps the exact file name, so that it can be opened; only the shown path is made safe. */
function cited({ path, start, end }: Citation): Pick<SafeRendition, "citation" | "where"> {
  const shown = shownPath(path);
  return {
    citation: { path: safePath(path), start, end },
    where: start === 0 ? shown : `${shown}:${start}-${end}`,
  };
}

/** Packs often contain the same texts, and checking them is most of the work. */
const cleaned = new LruCache<ReturnType<typeof clean>>(2_048);

function clean(raw: string) {
  const visible = stripInvisible(raw);
  const { text, found } = redactSecrets(visible.text);
  return {
    text,
    removedCharacters: visible.removed,
    redacted: [...new Set(found.map(({ kind }) => kind))],
    orderLines: [...new Set(flagInstructions(text).map(({ line }) => line))],
  };
}

/**
 * A name for use outside the fences: one line, no active Markdown, no secrets. A name that reads like orders to an agent
 * cannot be marked like a quoted line, so it is replaced by `neutral`.
 */
function safeName(name: string, neutral: string): string {
  const { plain, isOrder } = names.of(name, () => cleanName(name));
  return isOrder ? neutral : plain;
}

/** A path to open the file: exact, unless it contains a secret. */
const safePath = (path: string): string => paths.of(path, () => cleanPath(path)).exact;

/** A path for a code span: invisible characters and backticks are written as numbers. */
const shownPath = (path: string): string => paths.of(path, () => cleanPath(path)).shown;

const names = new LruCache<ReturnType<typeof cleanName>>(8_192);
const paths = new LruCache<ReturnType<typeof cleanPath>>(8_192);

function cleanName(name: string) {
  const visible = stripInvisible(name.replaceAll(/\s+/g, " ")).text.trim();
  // Brackets occur in file names; a link needs a second pair right after them.
  const plain = redactSecrets(visible)
    .text.replaceAll(/[`<>!#|*]/g, "")
    .replaceAll(/\](?=[([])/g, "");
  return {
    plain: plain.length > LONGEST_NAME ? `${beginning(plain)}…` : plain,
    isOrder: readsLikeOrders(visible),
  };
}

/** Does not end with the first half of a surrogate pair. */
const beginning = (name: string): string => name.slice(0, LONGEST_NAME - 1).replace(/[\ud800-\udbff]$/, "");

const UNSEEN = /[`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function cleanPath(path: string) {
  const exact = redactSecrets(path).text;
  const shown = exact.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const isOrder = readsLikeOrders(stripInvisible(path).text);
  return { exact, shown: isOrder ? "path withheld: reads like orders to an agent" : shown };
}

/** Also with dashes instead of spaces, as in file names. */
const readsLikeOrders = (name: string): boolean =>
  flagInstructions(`${name}\n\n${name.replaceAll(/[-_.\s/\\]+/g, " ")}`).length > 0;
