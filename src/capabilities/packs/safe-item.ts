import { flagInstructions, redactSecrets, stripInvisible } from "../../core/hygiene/index.ts";
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
  const visible = stripInvisible(text);
  const { text: clean, found } = redactSecrets(visible.text);
  return {
    text: clean,
    citation: { ...citation, path: oneLine(citation.path) },
    removedCharacters: visible.removed,
    redacted: [...new Set(found.map(({ kind }) => kind))],
    orders: [...new Set(flagInstructions(clean).map(({ line }) => citation.start + line - 1))],
  };
}

/** Titles, paths and names stand outside the fences: one line, no Markdown that could open anything, no secrets. */
function oneLine(text: string): string {
  const visible = stripInvisible(text.replaceAll(/\s+/g, " ")).text.trim();
  const plain = redactSecrets(visible).text.replaceAll(/[`<>[\]!#|*]/g, "");
  return plain.length > 160 ? `${plain.slice(0, 159)}…` : plain;
}
