import { flagInstructions, redactSecrets, stripInvisible } from "../../core/hygiene/index.ts";
import { Recent } from "../../core/recent.ts";
import type { PackItem, Rendition } from "./item.ts";

/** An item whose text may be shown to a model: invisible characters gone, secrets redacted, orders flagged. */
export interface SafeItem extends Omit<PackItem, "sizes"> {
  readonly sizes: readonly SafeRendition[];
  /** Its score as it counts beside the items of other rooms, where every room has its own scale. */
  readonly value: number;
}
export interface SafeRendition extends Rendition {
  readonly removedCharacters: number;
  readonly redacted: readonly string[];
  /** Lines of the cited file that read like orders to an agent. */
  readonly orders: readonly number[];
}

/** Everything a room hands over is untrusted: it was written by whoever can write to the project or its documents. */
export function makeSafe(item: PackItem): SafeItem {
  return {
    ...item,
    value: item.score,
    title: oneLine(item.title),
    why: oneLine(item.why),
    provenance: oneLine(item.provenance),
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
        ? { ...safe, text: rendition.text, citation: { ...rendition.citation, path: safe.citation.path } }
        : makeSafeRendition(rendition),
    ),
  ];
}

function makeSafeRendition({ text, citation }: Rendition): SafeRendition {
  const { orderLines, ...safe } = cleaned.of(text, () => clean(text));
  return {
    ...safe,
    citation: { ...citation, path: oneLine(citation.path) },
    orders: orderLines.map((line) => citation.start + line - 1),
  };
}

/** The same texts are given for one task after another, and looking through them is most of the work. */
const cleaned = new Recent<ReturnType<typeof clean>>(2_048);

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

/** Titles, paths and names stand outside the fences: one line, no Markdown that could open anything, no secrets. */
const oneLine = (text: string): string => lines.of(text, () => plainLine(text));
const lines = new Recent<string>(8_192);

function plainLine(text: string): string {
  const visible = stripInvisible(text.replaceAll(/\s+/g, " ")).text.trim();
  const plain = redactSecrets(visible).text.replaceAll(/[`<>[\]!#|*]/g, "");
  return plain.length > 160 ? `${plain.slice(0, 159)}…` : plain;
}
