import { DomainError, errnoOf } from "../../../core/errors.ts";
import type { Content, Item, KnownItem } from "../connectors/connector.ts";
import type { Extractor } from "../formats/extractor.ts";
import { compose, type DocumentDraft } from "./compose.ts";

/** The outcome of reading one item. */
export type Outcome =
  | { readonly item: Item; readonly draft: DocumentDraft; readonly stamp: string }
  | { readonly item: Item; readonly unchanged: string | undefined }
  | { readonly item: Item; readonly gone: string | undefined }
  | { readonly item: Item; readonly skipped: string; readonly stamp: string }
  | { readonly item: Item; readonly failed: string };

interface ItemReader {
  readonly source: string;
  readonly extractor: Extractor;
  readonly signal: AbortSignal;
  /** Seconds since 1970. */
  now(): number;
}

/** Reads an item and makes a document from it. A failure concerns only this item; only an abort is thrown. */
export async function readItem(
  item: Item,
  known: KnownItem | undefined,
  reader: ItemReader,
): Promise<Outcome> {
  try {
    const reading = await item.read(known, reader.signal);
    if (reading.kind === "content") return await draftOf(item, reading, reader);
    if (reading.kind === "unchanged") return { item, unchanged: reading.stamp };
    if (reading.kind === "gone") return { item, gone: reading.reason };
    if (reading.kind === "failed") return { item, failed: reading.reason };
    return { item, skipped: reading.reason, stamp: reading.stamp ?? "" };
  } catch (thrown) {
    reader.signal.throwIfAborted();
    return { item, failed: failureReason(thrown) };
  }
}

async function draftOf(item: Item, content: Content, reader: ItemReader): Promise<Outcome> {
  const { format, bytes, stamp, path } = content;
  const mediaType = content.mediaType ?? content.contentType;
  const extraction = await reader.extractor.extract({
    format,
    bytes,
    mediaType,
    ...(path !== undefined && { path }),
  });
  if ("unreadable" in extraction) return { item, skipped: extraction.unreadable, stamp };
  const place = { source: reader.source, sourceId: item.sourceId, now: reader.now() };
  return { item, draft: compose(place, content, extraction), stamp };
}

/** The reason for a report. System messages contain host paths, so only their code is shown. */
export function failureReason(thrown: unknown): string {
  if (thrown instanceof DomainError) return thrown.message;
  const code = errnoOf(thrown);
  if (code !== undefined) return `failed (${code})`;
  return thrown instanceof Error ? `failed: ${thrown.message.slice(0, 200)}` : "failed";
}
