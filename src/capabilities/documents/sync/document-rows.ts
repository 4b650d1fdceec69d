import { z } from "zod";
import type { IndexedDocument } from "../../../core/search/index.ts";
import type { Store } from "../../../core/store/store.ts";
import type { TextChunk } from "../chunking/chunk-text.ts";
import { withoutFrontMatter } from "../formats/front-matter.ts";
import { TOPIC, topicOf } from "../topics.ts";
import type { DocumentDraft } from "./compose.ts";
import type { SearchableDraft } from "./prepare/prepare-drafts.ts";

/**
 * A document for the search index: a chunk is found by its heading, its text, and the title and description of its
 * document. The front matter counts only there: as text, its keys would be found too.
 */
export function indexedDocument(
  { id, source, sourceId, title, about, tags, updatedAt }: Omit<SearchableDraft, "body">,
  chunks: readonly TextChunk[],
): IndexedDocument {
  const topic = topicOf(source, sourceId);
  return {
    id,
    path: sourceId,
    attributes: {
      source,
      updated_at: updatedAt,
      ...(tags.length > 0 && { tags }),
      ...(topic !== undefined && { [TOPIC]: topic }),
    },
    chunks: chunks.map(({ text, trail }, position) => {
      const body = position === 0 ? withoutFrontMatter(text) : text;
      return {
        id: `${id}#${position}`,
        title: trail.at(-1) ?? title ?? "",
        doc: [...(title === null ? [] : [title]), ...trail, ...about].join(" / "),
        body,
        embedText: [...trail.slice(0, -1), ...(position === 0 ? about : []), body].join("\n"),
        attributes: {},
      };
    }),
  };
}

const Created = z.object({ created_at: z.number() });

/** Replaces a document and its chunks. Without a creation time from the source, the stored one stays. */
export function writeRows(
  store: Store,
  draft: DocumentDraft,
  chunks: readonly TextChunk[],
  chunking: string,
): void {
  const row = store.prepare("SELECT created_at FROM documents WHERE id = ?").get(draft.id);
  const createdAt = draft.createdAt ?? (row ? Created.parse(row).created_at : draft.updatedAt);
  store
    .prepare(
      `INSERT OR REPLACE INTO documents (id, source, source_id, source_url, title, author, created_at, updated_at,
         content_type, metadata, chunking, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      draft.id,
      draft.source,
      draft.sourceId,
      draft.sourceUrl,
      draft.title,
      draft.author,
      createdAt,
      draft.updatedAt,
      draft.contentType,
      JSON.stringify(draft.metadata),
      chunking,
      draft.body,
    );
  writeChunks(store, draft.id, chunks);
}

export function writeChunks(store: Store, id: string, chunks: readonly TextChunk[]): void {
  store.prepare("DELETE FROM chunks WHERE document_id = ?").run(id);
  const insert = store.prepare("INSERT INTO chunks (document_id, position, text) VALUES (?, ?, ?)");
  for (const [position, { text }] of chunks.entries()) insert.run(id, position, text);
}

export function deleteRows(store: Store, id: string): void {
  store.prepare("DELETE FROM documents WHERE id = ?").run(id);
  store.prepare("DELETE FROM chunks WHERE document_id = ?").run(id);
}
