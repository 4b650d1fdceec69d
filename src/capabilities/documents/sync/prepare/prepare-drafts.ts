import type { PreparedBatch, VectorMaker } from "../../../../core/search/index.ts";
import { prepareDocuments } from "../../../../core/search/index.ts";
import { type ChunkSize, chunkText, type TextChunk } from "../../chunking/chunk-text.ts";
import { listOf } from "../../formats/front-matter.ts";
import type { DocumentDraft } from "../compose.ts";
import { indexedDocument } from "../document-rows.ts";

/** The part of a draft that is needed to index it. */
export interface SearchableDraft
  extends Pick<DocumentDraft, "id" | "source" | "sourceId" | "title" | "tags" | "updatedAt" | "body"> {
  /** What its metadata says about it: description, summary, keywords. */
  readonly about: readonly string[];
}
export interface PreparedDrafts {
  /** The chunks of each draft, in the order of the drafts. */
  readonly chunks: readonly (readonly TextChunk[])[];
  readonly batch: PreparedBatch;
  /** Whether it was prepared before, here or for another project. */
  readonly isReused?: boolean;
}
export interface PrepareDraftsRequest {
  readonly drafts: readonly SearchableDraft[];
  readonly size: ChunkSize;
}

const ABOUT_KEYS = ["description", "summary", "subtitle", "abstract", "keywords", "aliases", "tags"];
const MOST_ABOUT_CHARACTERS = 1_000;

/** The texts of the metadata that say what a document is about. */
export const aboutOf = (metadata: Readonly<Record<string, unknown>>): string[] =>
  ABOUT_KEYS.map((key) => listOf(metadata[key]).join(" ").slice(0, MOST_ABOUT_CHARACTERS)).filter(
    (text) => text !== "",
  );

/** A text may be all different words, and each takes some hundred bytes of memory: what follows is stored, not searched. */
export const MOST_SEARCHED_CHARACTERS = 4_000_000;

/** Chunks, words and vectors of a batch. Needs no database, so that a worker thread can do it. */
export function prepareDrafts({ drafts, size }: PrepareDraftsRequest, model?: VectorMaker): PreparedDrafts {
  const cut = drafts.map((draft) => ({
    draft,
    chunks: chunkText(draft.body.slice(0, MOST_SEARCHED_CHARACTERS), size),
  }));
  const indexed = cut.map(({ draft, chunks }) => indexedDocument(draft, chunks));
  return { chunks: cut.map(({ chunks }) => chunks), batch: prepareDocuments(indexed, model) };
}
