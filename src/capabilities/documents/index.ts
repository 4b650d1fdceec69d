/**
 * Documents: brings documents in from connectors, finds them and reads them. It owns the copies, never the originals. It
 * promises the bodies and errors of its contract, that filters apply before candidates are cut, and that whatever a sync
 * has acknowledged survives any crash.
 */
import type { Machine } from "../../core/machine.ts";
import type { Finding, RoomOffer } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import { type Documents, type DocumentsStatus, openDocumentsRoom } from "./documents.ts";
import type { PublishDocuments } from "./published/publish-documents.ts";
import type { DocumentHit, DocumentQuery, StoredDocument } from "./schemas.ts";
import { counted } from "./show.ts";
import type { TreeChanges } from "./sync/local-sources.ts";
import { documentTools } from "./tools.ts";

export type { DocumentHit, StoredDocument } from "./schemas.ts";
export { DOCUMENTS_KIND } from "./tables.ts";

export interface DocumentsDoor extends RoomOffer {
  /** Reads files of the project that have changed. Returns false if the documents may still be behind. */
  bringUpToDate(call: Pick<Call, "signal" | "progress" | "caller">): Promise<boolean>;
  search(query: DocumentQuery): Promise<readonly DocumentHit[]>;
  /** A whole document; `not_found` for an unknown id. */
  get(id: string): Promise<StoredDocument>;
  /** What is stored, without asking any source. */
  status(): Promise<DocumentsStatus>;
}

export function openDocuments(
  given: Machine,
  treeChanges: TreeChanges = async () => undefined,
): DocumentsDoor {
  const config = async () => {
    const { withDefaultSources } = await import("./default-source.ts");
    return withDefaultSources(await given.config(), given.root);
  };
  return doorOf(openDocumentsRoom({ ...given, config }, treeChanges));
}

/** The documents that `publishDocuments` published, from their file. Nothing is synced. */
export function openPublishedDocuments(given: Machine, file: string): DocumentsDoor {
  const config = async () => (await import("./default-source.ts")).withOwnDocuments(await given.config());
  return doorOf(openDocumentsRoom({ ...given, config }, async () => undefined, file));
}

/** Reads the documents in the usual places of a clean work tree, whatever its own configuration says, and publishes them. */
export const publishDocuments: PublishDocuments = async (...given) =>
  (await import("./published/publish-documents.ts")).publishDocuments(...given);

function doorOf(documents: ReturnType<typeof openDocumentsRoom>): DocumentsDoor {
  return {
    tools: documentTools(documents),
    bringUpToDate: (call) => documents.bringUpToDate(call),
    search: (query) => documents.search(query),
    get: (id) => documents.get(id),
    status: () => documents.status(),
    doctor: () => findings(documents),
    startBackground: (signal) => documents.startBackground(signal),
    close: () => documents.close(),
  };
}

async function findings(documents: Documents): Promise<readonly Finding[]> {
  const { configured, documents: count, lastSync, problems } = await documents.status();
  if (configured.length === 0) {
    return [
      {
        name: "documents",
        state: "note",
        detail: "none found; add a source: contextful documents add DIR|URL",
      },
    ];
  }
  const never = configured.filter((label) => lastSync[label] === null);
  const detail = `${counted(count, "document")} from ${counted(configured.length, "source")}`;
  const hint = never.length === 0 ? "" : `; never synced: ${never.join(", ")} (contextful documents sync)`;
  return [
    { name: "documents", state: never.length === 0 ? "ok" : "note", detail: detail + hint },
    ...problems.map((problem) => ({ name: "documents", state: "note" as const, detail: problem })),
  ];
}
