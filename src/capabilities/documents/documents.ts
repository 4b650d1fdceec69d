import { resolve } from "node:path";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import type { FoundDocuments, TopicalQuery } from "./retrieval/search.ts";
import type {
  AddSourceRequest,
  DocumentHit,
  DocumentQuery,
  ScoreExplanation,
  SourceState,
  Stats,
  StoredDocument,
} from "./schemas.ts";
import type { LocalSources, TreeChanges } from "./sync/local-sources.ts";
import type { SyncReport } from "./sync/report.ts";
import type { SyncRequest } from "./sync/sync.ts";
import { isOnDemand, NO_TOPIC } from "./topics.ts";

/** What is stored and which problems there are, without asking any source. */
export interface DocumentsStatus {
  /** Without sources that no question has asked for yet. */
  readonly configured: readonly string[];
  readonly documents: number;
  readonly chunks: number;
  /** The last sync of every configured source; `null` if it was never synced. */
  readonly lastSync: Readonly<Record<string, string | null>>;
  readonly problems: readonly string[];
}

/** The contract's answer has no field for this. */
const BEHIND =
  "Files have changed that are not in this answer yet. They are being read: search again in a moment.";

const withoutPackages = (names: readonly string[]): string =>
  `Not installed here, so their documents are not in this answer: ${names.join(", ")}.`;

/** A person is told which model answered; everybody, if it is not the one that the user chose. */
function modelNotice(
  { model, degraded }: Pick<FoundDocuments, "model" | "degraded">,
  isPerson: boolean,
): string | undefined {
  if (degraded === undefined) return isPerson && model !== undefined ? `By the model ${model}.` : undefined;
  const next = isPerson ? " What is missing is embedded by: contextful documents sync" : "";
  return `By the model ${model}, not the configured one: ${degraded}${next}`;
}

/**
 * The behaviour of the room. Modules are loaded on the first call that needs them. `published` is a database that another
 * machine made.
 */
export function openDocumentsRoom(machine: Machine, treeChanges: TreeChanges, published?: string) {
  const access = once(async () => (await import("./database.ts")).openDatabase(machine, published));
  const reading = async () => (await access()).forReading();
  let wasOpened = false;
  let isServing = false;
  const use = <T>(work: () => Promise<T>): Promise<T> => {
    wasOpened = true;
    return work();
  };
  const asked = async (query: DocumentQuery) => {
    const { askedTopics } = await import("./retrieval/asked-topics.ts");
    return askedTopics(query, await machine.config(), machine);
  };
  const searchWith = async (query: TopicalQuery) => {
    const { search } = await import("./retrieval/search.ts");
    return search(await reading(), await machine.config(), query);
  };
  let localSources: LocalSources | undefined;
  const loadLocalSources = async () => {
    const { LocalSources } = await import("./sync/local-sources.ts");
    localSources ??= new LocalSources({ machine, access, sync: documents.sync, treeChanges });
    return localSources;
  };
  const documents = {
    /**
     * Reads files of the project that have changed since the last sync, and what the question needs besides. A person waits
     * until that is done, a call to a server for a moment; any other caller syncs by itself. Returns false if the documents
     * may still be behind.
     */
    bringUpToDate: (
      call: Pick<Call, "signal" | "progress" | "caller">,
      query?: DocumentQuery,
    ): Promise<boolean> =>
      use(async () => {
        const isPatient = call.caller === "person";
        if (!isPatient && !isServing) return true;
        const wait = { ...call, isPatient, ...(query && { asked: await asked(query) }) };
        return (await loadLocalSources()).bringUpToDate(wait);
      }),

    /** The project's own documents, without history and packages: for packs. */
    search: (query: DocumentQuery): Promise<DocumentHit[]> =>
      use(async () => {
        const { hits } = await searchWith({ ...query, topics: [NO_TOPIC] });
        return hits.map(({ explanation: _, ...found }) => found);
      }),

    /** A blank query finds nothing; at a terminal that is not an error. */
    find: (
      query: DocumentQuery,
      { explain, syncs }: { readonly explain: boolean; readonly syncs: boolean },
      call: Call,
    ): Promise<(DocumentHit & { explanation?: ScoreExplanation })[]> =>
      use(async () => {
        if (query.query.trim() === "") return [];
        if (syncs && !(await documents.bringUpToDate(call, query))) call.notice?.(BEHIND);
        const { filters, topics, missing } = await asked(query);
        if (missing.length > 0) call.notice?.(withoutPackages(missing));
        const topical = { ...query, topics: filters, takesAnyWord: topics.length > 0 };
        const { hits, model, degraded } = await searchWith(topical);
        const said = modelNotice({ model, degraded }, call.caller === "person");
        if (said !== undefined) call.notice?.(said);
        return explain ? [...hits] : hits.map(({ explanation: _, ...found }) => found);
      }),

    get: (id: string): Promise<StoredDocument> =>
      use(async () => {
        const { getDocument } = await import("./retrieval/documents.ts");
        return getDocument(await reading(), id);
      }),

    sources: (signal: AbortSignal): Promise<SourceState[]> =>
      use(async () => {
        const { sources } = await import("./retrieval/sources.ts");
        return sources(machine, await reading(), signal);
      }),

    sync: (request: SyncRequest, call: Pick<Call, "signal" | "progress">): Promise<SyncReport> =>
      use(async () => {
        const { sync } = await import("./sync/sync.ts");
        return sync(machine, await access(), request, call);
      }),

    add: async (input: AddSourceRequest, call: Pick<Call, "confirm">) => {
      const { addSource } = await import("./add-source.ts");
      return addSource(machine, input, call);
    },

    stats: (): Promise<Stats> =>
      use(async () => {
        const { stats } = await import("./retrieval/documents.ts");
        return stats(await reading());
      }),

    export: (output: string | undefined) =>
      use(async () => {
        const { exportAll } = await import("./retrieval/documents.ts");
        const all = exportAll(await reading());
        if (output === undefined) return { written: null, ...all };
        const { writeFileAtomic } = await import("../../core/files/atomic-write.ts");
        await writeFileAtomic(resolve(output), `${JSON.stringify(all, null, 2)}\n`);
        return { written: output, documents: [], chunks: [] };
      }),

    status: (): Promise<DocumentsStatus> =>
      use(async () => {
        const { configuredLabels } = await import("./connectors/open-connectors.ts");
        const { stats } = await import("./retrieval/documents.ts");
        const { documents, chunks, sources, problems } = await stats(await reading());
        const last = (label: string) => sources.find(({ source }) => source === label)?.last_sync ?? null;
        const configured = configuredLabels(await machine.config()).filter(
          (label) => !isOnDemand(label) || last(label) !== null,
        );
        const lastSync = Object.fromEntries(configured.map((label) => [label, last(label)]));
        return { configured, documents, chunks, lastSync, problems };
      }),

    close: async (): Promise<void> => {
      if (!wasOpened) return;
      await localSources?.close();
      await (await access()).close();
    },
  };
  return {
    ...documents,
    /** Background work of a server: scheduled syncs and embedding. */
    startBackground: (signal: AbortSignal): Promise<void> =>
      use(async () => {
        isServing = true;
        try {
          const { embedInBackground, syncDefaultSource, syncOnSchedule } = await import("./background.ts");
          await Promise.all([
            syncDefaultSource(machine, documents, signal),
            syncOnSchedule(machine, documents, signal),
            embedInBackground(machine, reading, signal),
          ]);
        } catch (thrown) {
          machine.logger.error("the background work on documents stopped:", thrown);
        }
      }),
  };
}
export type Documents = Omit<ReturnType<typeof openDocumentsRoom>, "startBackground">;
