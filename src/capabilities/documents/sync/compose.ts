import { createHash } from "node:crypto";
import { sha256 } from "../../../core/hash.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { blocksOf } from "../chunking/blocks.ts";
import type { Content } from "../connectors/connector.ts";
import { cleanText } from "../formats/extract.ts";
import type { Extracted } from "../formats/format.ts";
import { listOf } from "../formats/front-matter.ts";

/** A document as it is stored, before it is cut into chunks. */
export interface DocumentDraft {
  readonly id: string;
  readonly source: string;
  readonly sourceId: string;
  readonly sourceUrl: string | null;
  readonly title: string | null;
  readonly author: string | null;
  /** `undefined`: the stored time stays. */
  readonly createdAt: number | undefined;
  readonly updatedAt: number;
  readonly contentType: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  /** A hash of everything above that comes from the source; if it is equal, nothing changed. */
  readonly hash: string;
}

/** A heading further down is not the title. */
const README_HEAD = 20_000;
const MAX_TITLE = 200;
const NAMESPACE = Buffer.from("6a1f7c52d0b94b0e9a4d3f5e8c2b7a10", "hex");

/** A UUID version 5 of source and source id: the same document has the same id on every machine. */
export function documentId(source: string, sourceId: string): string {
  const digest = createHash("sha1").update(NAMESPACE).update(`${source}\0${sourceId}`).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString("hex", 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Combines what the source and the file say. The body is already clean. */
export function compose(
  { source, sourceId, now }: { readonly source: string; readonly sourceId: string; readonly now: number },
  content: Content,
  extracted: Extracted,
): DocumentDraft {
  const sourceTime = content.updatedAt ?? extracted.updatedAt ?? content.guessedAt;
  const fromFile = clean(extracted.metadata ?? {});
  const tags = [
    ...new Set([...content.tags, ...(extracted.tags ?? []), ...listOf(content.metadata["tags"])]),
  ].sort(byCodeUnit);
  const draft = {
    id: documentId(source, sourceId),
    source,
    sourceId,
    sourceUrl: content.sourceUrl,
    title: cleanOrNull(extracted.title ?? readmeTitle(content, extracted.body) ?? content.title),
    author: cleanOrNull(content.author ?? extracted.author ?? null),
    createdAt: content.createdAt ?? extracted.createdAt,
    contentType: content.contentType,
    body: extracted.body,
    metadata: { ...asTable(fromFile), ...asTable(clean(content.metadata)), ...(tags.length > 0 && { tags }) },
    tags,
  };
  return {
    ...draft,
    updatedAt: sourceTime ?? now,
    hash: sha256(JSON.stringify([draft, sourceTime ?? null])),
  };
}

/** Every README has the same file name: its first heading says which one it is. */
function readmeTitle({ title, format }: Content, body: string): string | undefined {
  if (format !== "markdown" || !/^readme\.\w+$/i.test(title ?? "")) return undefined;
  const heading = firstHeading(body.slice(0, README_HEAD));
  // A heading that is a picture has no words.
  return heading === undefined || /^[![<]/.test(heading) ? undefined : heading;
}

/** Of Markdown or HTML, whichever comes first. A comment in a code block is not a heading. */
function firstHeading(head: string): string | undefined {
  const html = /<h1\b[^>]*>([\s\S]{1,400}?)<\/h1>/i.exec(head);
  const markdown = blocksOf(head).find(({ heading }) => heading?.level === 1);
  const isHtmlFirst = html !== null && (markdown === undefined || html.index < markdown.start);
  const text = isHtmlFirst ? html[1]?.replace(/<[^>]*>/g, " ") : markdown?.heading?.text;
  const words = text?.replace(/[*_`]/g, "").replace(/\s+/g, " ").trim();
  return words ? words.slice(0, MAX_TITLE) : undefined;
}

const cleanOrNull = (text: string | null): string | null => (text === null ? null : cleanText(text));

/** Cleans every text inside, at any depth. */
function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}

const asTable = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
