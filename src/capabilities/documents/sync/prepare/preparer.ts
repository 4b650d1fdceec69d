import type { Embeddings } from "../../../../core/search/index.ts";
import { openThread } from "../../answering-thread.ts";
import type { ChunkSize } from "../../chunking/chunk-text.ts";
import type { DocumentDraft } from "../compose.ts";
import {
  aboutOf,
  type PrepareDraftsRequest,
  type PreparedDrafts,
  prepareDrafts,
  type SearchableDraft,
} from "./prepare-drafts.ts";

/** Makes drafts ready for the store. `lost` says why it could not: too long, too much memory. */
export interface Preparer {
  prepare(
    drafts: readonly (DocumentDraft | SearchableDraft)[],
    size: ChunkSize,
  ): Promise<PreparedDrafts | { readonly lost: string }>;
  close(): Promise<void>;
}
interface PreparerOptions {
  readonly embeddings: Embeddings;
  readonly home: string;
  /** The built worker. When run from source there is none, and this thread does the work. */
  readonly worker?: URL | undefined;
}

const isBuilt = !import.meta.url.endsWith(".ts");
const BUILT_WORKER = isBuilt ? new URL("./workers/documents-prepare.js", import.meta.url) : undefined;
/** A batch up to this size takes less time here than the start of a thread. */
export const SMALL_BATCH_CHARACTERS = 100_000;
const DEADLINE_MS = 120_000;

export async function openPreparer({
  embeddings,
  home,
  worker = BUILT_WORKER,
}: PreparerOptions): Promise<Preparer> {
  const model = await embeddings.quick();
  const thread =
    worker &&
    openThread<PrepareDraftsRequest, PreparedDrafts>({
      file: worker,
      deadlineMs: DEADLINE_MS,
      data: { home, isDisabled: model === undefined },
    });
  return {
    async prepare(drafts, size) {
      const characters = drafts.reduce((sum, { body }) => sum + body.length, 0);
      const request = { drafts: drafts.map(searchablePart), size };
      if (!thread || characters <= SMALL_BATCH_CHARACTERS) return prepareDrafts(request, model);
      const found = await thread.ask(request);
      return "lost" in found ? found : found.answer;
    },
    close: async () => thread?.close(),
  };
}

/** The rest may be large and is not needed in the other thread. */
export const searchablePart = (draft: DocumentDraft | SearchableDraft): SearchableDraft => {
  const { id, source, sourceId, title, tags, updatedAt, body } = draft;
  const about = "about" in draft ? draft.about : aboutOf(draft.metadata);
  return { id, source, sourceId, title, about, tags, updatedAt, body };
};
