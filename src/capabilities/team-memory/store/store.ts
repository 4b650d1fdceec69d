import { DomainError } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import { type StoreEdit, startEdit } from "./edit.ts";
import { type EntryTable, type MemoryEntry, openEntryReader } from "./entry-files.ts";
import { hasJournal } from "./journal.ts";
import { type EntryKind, entryPath, FOLDER, LOCAL_SCOPES, MANIFEST } from "./layout.ts";
import { isInitialised, noStore, type StorePlace } from "./locate.ts";
import { lockStore } from "./lock-store.ts";
import { ignoreLines, newManifest } from "./manifest.ts";
import { type MetadataTable, readMetadata } from "./metadata.ts";
import { noteOwnWrite, type OwnWrite, type OwnWrites } from "./own-writes.ts";
import { decodeText, readStoreFile } from "./read-file.ts";
import { readScopes, type ScopeTable } from "./scopes.ts";
import { openSidecars, printJson, type Sidecars } from "./sidecar.ts";
import { commitChanges, type StoreFileChange } from "./transaction.ts";

/** The store on disk at one moment. */
export interface StoreView extends Omit<EntryTable, "problemAt"> {
  /** By exact key; `undefined` if there is none. Throws if its file exists but cannot be read. */
  find(kind: EntryKind, key: string): MemoryEntry | undefined;
  readonly scopes: ScopeTable;
  readonly metadata: MetadataTable;
  /** What could not be read, each with its file. */
  readonly problems: readonly string[];
}
interface WriteOptions {
  readonly purpose: string;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for other writers. */
  readonly waitMs?: number;
  /** Name and address for a store that this write creates. */
  readonly created?: { readonly name?: string; readonly repoUrl?: string };
}
export interface MemoryStore extends StorePlace {
  /** What this process has written so far, by file. */
  readonly written: OwnWrites;
  isInitialised(): boolean;
  view(): Promise<StoreView>;
  /** The bytes of any file of the store; `undefined` if it does not exist. */
  readBytes(path: string): Buffer | undefined;
  /** The text of any file of the store; `undefined` if it does not exist. */
  readText(path: string): string | undefined;
  /** Under the lock, all or nothing. Creates the store if there is none. */
  write<T>(options: WriteOptions, change: (edit: StoreEdit, view: StoreView) => Promise<T> | T): Promise<T>;
}

export function openStore(place: StorePlace, machine: Pick<Machine, "now" | "env" | "logger">): MemoryStore {
  const { root, directory } = place;
  const readEntries = openEntryReader(directory);
  const written = new Map<string, OwnWrite>();
  let queue: Promise<unknown> = Promise.resolve();

  const look = (sidecars: Sidecars): StoreView => {
    const entries = readEntries();
    const scopes = readScopes(sidecars);
    const metadata = readMetadata(sidecars);
    return {
      ...entries,
      find: (kind, key) => findEntry(entries, kind, key),
      scopes,
      metadata,
      problems: [...entries.problems, ...scopes.problems, ...metadata.problems],
    };
  };
  const readBytes = (path: string): Buffer | undefined => readStoreFile(directory, path)?.bytes;
  const readText = (path: string): string | undefined => {
    const bytes = readBytes(path);
    return bytes === undefined ? undefined : decodeText(bytes, path);
  };

  const bytesIfReadable = (path: string): Buffer | undefined => {
    try {
      return readBytes(path);
    } catch {
      return undefined;
    }
  };

  async function writeNow<T>(
    options: WriteOptions,
    change: (edit: StoreEdit, view: StoreView) => Promise<T> | T,
  ) {
    const isNew = !isInitialised(place);
    if (isNew && options.created === undefined && machine.env["CTX_NO_AUTO_INIT"]) throw noStore();
    const lock = await lockStore(directory, {
      purpose: options.purpose,
      signal: options.signal,
      waitMs: options.waitMs,
    });
    try {
      return await writeLocked(options, change);
    } finally {
      lock.release();
    }
  }

  async function writeLocked<T>(
    options: WriteOptions,
    change: (edit: StoreEdit, view: StoreView) => Promise<T> | T,
  ) {
    const sidecars = openSidecars(directory);
    const view = look(sidecars);
    const edit = startEdit(sidecars, view.scopes);
    const result = await change(edit, view);
    const changes = edit.changes();
    if (changes.length === 0 && options.created === undefined) return result;
    changes.push(...storeFoundation(options, changes));
    for (const change of changes) noteOwnWrite(written, change, bytesIfReadable(change.path));
    if (!(await commitChanges(directory, changes)))
      machine.logger.warn(
        `The disk did not confirm a folder of the context store while ${options.purpose}. The change is written, but may be lost if the power fails. Check the disk.`,
      );
    return result;
  }

  /** A new store needs a manifest; a store with private entries needs an ignore file. */
  function storeFoundation(
    { created }: WriteOptions,
    changes: readonly StoreFileChange[],
  ): StoreFileChange[] {
    const isNew = !isInitialised(place);
    if (!isNew && !changes.some(({ path }) => path === LOCAL_SCOPES)) return [];
    const before = readText(".gitignore") ?? "";
    const ignored = ignoreLines(before);
    const manifest = isNew ? printJson(newManifest({ root, now: machine.now(), ...created })) : undefined;
    return [
      ...(ignored === before ? [] : [{ path: ".gitignore", content: ignored }]),
      ...(manifest === undefined ? [] : [{ path: MANIFEST, content: manifest }]),
    ];
  }

  return {
    root,
    directory,
    isInitialised: () => isInitialised(place),
    written,
    readBytes,
    readText,
    async view() {
      if (hasJournal(directory)) await repairStore(directory);
      return look(openSidecars(directory));
    },
    write(options, change) {
      // Writers of one process queue here instead of polling for the lock.
      const turn = queue.then(
        () => writeNow(options, change),
        () => writeNow(options, change),
      );
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** Finishes the transaction of a dead writer. A live writer has a journal too, but it holds the lock. */
async function repairStore(directory: string): Promise<void> {
  try {
    const lock = await lockStore(directory, { purpose: "repairing the context store", waitMs: 0 });
    lock.release();
  } catch {
    // Busy or read-only: the caller reads what is on disk.
  }
}

function findEntry(entries: EntryTable, kind: EntryKind, key: string): MemoryEntry | undefined {
  const path = kind === "decision" ? `${FOLDER.decision}/${key}.md` : entryPath(kind, key);
  const problem = entries.problemAt(path);
  if (problem !== undefined) throw new DomainError("unavailable", problem, { reason: "unreadable" });
  return entries.at(path);
}
