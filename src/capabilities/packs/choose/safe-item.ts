import { flagInstructions, redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import { LruCache } from "../../../core/lru-cache.ts";
import type { Citation, PackItem, Rendition } from "../item.ts";

const LONGEST_NAME = 160;

/** An item whose text may be shown to a model: invisible characters gone, secrets redacted, orders flagged. */
export interface SafeItem extends Omit<PackItem, "sizes"> {
  readonly sizes: readonly SafeRendition[];
  /** Its score as it counts beside the items of other rooms, where every room has its own scale. */
  readonly value: number;
}
export interface SafeRendition extends Rendition {
  readonly removedCharacters: number;
  readonly redacted: readonly string[];
  /** The citation as it may stand outside a fence. */
  readonly where: string;
  /** Lines of the cited file that read like orders to an agent. */
  readonly orders: readonly number[];
}

/** Everything a room hands over is untrusted: it was written by whoever can write to the project or its documents. */
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

/** What stands in a text that needed nothing done needs nothing done either. */
function safeSizes([whole, ...smaller]: readonly Rendition[]): SafeRendition[] {
  if (whole === undefined) return [];
  const safe = makeSafeRendition(whole);
  const isClean = safe.text === whole.text && safe.orders.length === 0;
  return [
    safe,
    ...smaller.map((rendition) =>
      isClean && whole.text.includes(rendition.text)
        ? { ...safe, text: rendition.text, ...cited(rendition.citation) }
        : makeSafeRendition(rendition),
    ),
  ];
}

function makeSafeRendition({ text, citation }: Rendition): SafeRendition {
  const { orderLines, ...safe } = cleaned.of(text, () => clean(text));
  return {
    ...safe,
    ...cited(citation),
    orders: orderLines.map((line) => citation.start + line - 1),
  };
}

/** Files are cited by their exact names, which a reader must be able to open; only what is shown is made harmless. */
function cited({ path, start, end }: Citation): Pick<SafeRendition, "citation" | "where"> {
  const shown = shownPath(path);
  return {
    citation: { path: safePath(path), start, end },
    where: start === 0 ? shown : `${shown}:${start}-${end}`,
  };
}

/** The same texts are given for one task after another, and looking through them is most of the work. */
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
 * What stands outside the fences: one line, no Markdown that could open anything, no secrets. A name that reads like
 * orders to an agent cannot be marked as a quoted line is, so `neutral` stands for it.
 */
function safeName(name: string, neutral: string): string {
  const { plain, isOrder } = names.of(name, () => cleanName(name));
  return isOrder ? neutral : plain;
}

/** A path to open a file by: exact, unless it holds a secret. */
const safePath = (path: string): string => paths.of(path, () => cleanPath(path)).exact;

/** A path to stand in a code span: what cannot be seen, or would end the span, is written as its number. */
const shownPath = (path: string): string => paths.of(path, () => cleanPath(path)).shown;

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
