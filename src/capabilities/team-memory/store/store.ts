import { DomainError } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import { type Catalogue, openCatalogue } from "./catalogue.ts";
import { type Edit, startEdit } from "./edit.ts";
import type { Entry } from "./entry-files.ts";
import { hasJournal } from "./journal.ts";
import { entryPath, FOLDER, type Kind, LOCAL_SCOPES, MANIFEST } from "./layout.ts";
import { isInitialised, noStore, type Place } from "./locate.ts";
import { lockStore } from "./lock-store.ts";
import { ignoreLines, newManifest } from "./manifest.ts";
import { type MetadataTable, readMetadata } from "./metadata.ts";
import { decodeText, readStoreFile } from "./read-file.ts";
import { readScopes, type ScopeTable } from "./scopes.ts";
import { openSidecars, printJson } from "./sidecar.ts";
import { type Change, commitChanges } from "./transaction.ts";

/** The store as it is on disk now. */
export interface View {
  /** Sorted by key. */
  all(kind: Kind): readonly Entry[];
  /** By exact key; `undefined` where there is none. Throws where its file is there and cannot be read. */
  find(kind: Kind, key: string): Entry | undefined;
  /** By its path in the store. */
  at(path: string): Entry | undefined;
  /** Whether an entry's file is there, also one that cannot be read: it can still be removed or replaced. */
  has(path: string): boolean;
  /** Of all files that stand where entries of this kind stand, those that cannot be read included. */
  paths(kind: Kind): readonly string[];
  /** Changes with every change of any entry. */
  readonly revision: number;
  readonly scopes: ScopeTable;
  readonly metadata: MetadataTable;
  /** What could not be read, each with its file. */
  readonly problems: readonly string[];
}
export interface WriteOptions {
  readonly purpose: string;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for other writers. */
  readonly waitMs?: number;
  /** What a store made by this write is called. */
  readonly created?: { readonly name?: string; readonly repoUrl?: string };
}
export interface Store extends Place {
  isInitialised(): boolean;
  view(): Promise<View>;
  /** The bytes of any file of the store; `undefined` where there is none. */
  readBytes(path: string): Buffer | undefined;
  /** The text of any file of the store, such as a log or a state; `undefined` where there is none. */
  readText(path: string): string | undefined;
  /** Under the lock, all or nothing; makes the store where there is none. */
  write<T>(options: WriteOptions, change: (edit: Edit, view: View) => Promise<T> | T): Promise<T>;
}

export function openStore(place: Place, machine: Pick<Machine, "now" | "env">): Store {
  const { root, directory } = place;
  const catalogue = openCatalogue(directory);
  const sidecars = openSidecars(directory);
  let queue: Promise<unknown> = Promise.resolve();

  const look = (forReading = true): View => {
    catalogue.refresh({ forReading });
    const scopes = readScopes(sidecars);
    const metadata = readMetadata(sidecars);
    return {
      all: catalogue.all,
      at: catalogue.at,
      has: catalogue.has,
      paths: catalogue.paths,
      find: (kind, key) => findEntry(catalogue, kind, key),
      revision: catalogue.revision,
      scopes,
      metadata,
      get problems() {
        return [...catalogue.problems(), ...scopes.problems, ...metadata.problems];
      },
    };
  };
  const readBytes = (path: string): Buffer | undefined => readStoreFile(directory, path)?.bytes;
  const readText = (path: string): string | undefined => {
    const bytes = readBytes(path);
    return bytes === undefined ? undefined : decodeText(bytes, path);
  };

  async function writeNow<T>(options: WriteOptions, change: (edit: Edit, view: View) => Promise<T> | T) {
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

  async function writeLocked<T>(options: WriteOptions, change: (edit: Edit, view: View) => Promise<T> | T) {
    const view = look(false);
    const edit = startEdit(sidecars, view.scopes);
    const result = await change(edit, view);
    const changes = edit.changes();
    if (changes.length === 0 && options.created === undefined) return result;
    changes.push(...foundation(options, changes));
    await commitChanges(directory, changes);
    for (const [file, rows] of edit.sidecarRows()) sidecars.remember(file, rows);
    for (const { path, content } of changes) {
      if (typeof content !== "object") catalogue.applied(path, content);
    }
    return result;
  }

  /** What a store needs beside its entries: a manifest, and an ignore file once there is something to hide. */
  function foundation({ created }: WriteOptions, changes: readonly Change[]): Change[] {
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
    readBytes,
    readText,
    async view() {
      if (hasJournal(directory)) await finishForTheDead(directory);
      return look();
    },
    write(options, change) {
      // Writers of one process wait in line here instead of polling for the lock.
      const turn = queue.then(
        () => writeNow(options, change),
        () => writeNow(options, change),
      );
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** A journal is there while a writer works; only where nobody holds the lock did its writer die. */
async function finishForTheDead(directory: string): Promise<void> {
  try {
    const lock = await lockStore(directory, { purpose: "repairing the context store", waitMs: 0 });
    lock.release();
  } catch {
    // Busy, or read-only: what is on disk is read as it is.
  }
}

function findEntry(catalogue: Catalogue, kind: Kind, key: string): Entry | undefined {
  const path = kind === "decision" ? `${FOLDER.decision}/${key}.md` : entryPath(kind, key);
  const problem = catalogue.problemAt(path);
  if (problem !== undefined) throw new DomainError("unavailable", problem, { reason: "unreadable" });
  return catalogue.at(path);
}
