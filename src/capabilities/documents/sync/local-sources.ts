import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../../core/config/config.ts";
import { asDomainError } from "../../../core/errors.ts";
import { isInside } from "../../../core/files/allowed-roots.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Progress, ProgressStep } from "../../../core/progress.ts";
import type { Call } from "../../../core/tool.ts";
import { configuredLabels, openConnector } from "../connectors/open-connectors.ts";
import type { DatabaseAccess } from "../database.ts";
import { DEFAULT_SOURCE } from "../default-source.ts";
import type { AskedTopics } from "../retrieval/asked-topics.ts";
import { chooseItems } from "./choose-items.ts";
import type { SyncReport } from "./report.ts";
import type { SyncRequest } from "./sync.ts";
import { readItemRecords, storedLabels } from "./sync-records.ts";

/**
 * How many changes of the project's files were reported so far, including every one made before this call; `undefined` if
 * nobody watches the project.
 */
export type TreeChanges = () => Promise<number | undefined>;

interface LocalSourcesOptions {
  readonly machine: Machine;
  access(): Promise<DatabaseAccess>;
  sync(request: SyncRequest, call: Pick<Call, "signal" | "progress">): Promise<SyncReport>;
  readonly treeChanges: TreeChanges;
}
interface LocalWait extends Pick<Call, "signal" | "progress"> {
  /** Whether to wait until the work is done, however long it takes. */
  readonly isPatient: boolean;
  /** Sources and topics that the question asks for; once asked for, they are kept up to date. */
  readonly asked?: Pick<AskedTopics, "labels" | "topics">;
}

/** A search waits this long for changed files. If nothing is stored yet, its answer would be empty, so it waits longer. */
const WAIT_MS = 300;
const FIRST_WAIT_MS = 3_000;
/** Reports of changes can be lost: trust silence no longer than this. */
const TRUST_MS = 30_000;
const EVERYTHING = { full: false, since: undefined, until: undefined, limit: undefined } as const;

/** Brings the sources whose files are in the project up to date before a search. */
export class LocalSources {
  readonly #options: LocalSourcesOptions;
  readonly #ending = new AbortController();
  /** The progress of each call that waits. */
  readonly #waiting = new Set<Progress>();
  readonly #asked = { labels: new Set<string>(), topics: new Set<string>() };
  #running: Promise<boolean> | undefined;
  #queued: Promise<boolean> | undefined;
  /** How many reported changes the stored documents include, and when we last looked ourselves. */
  #verified: { readonly changes: number | undefined; readonly at: number } | undefined;

  constructor(options: LocalSourcesOptions) {
    this.#options = options;
  }

  /** Returns false if files have changed that could not be read in time. The work then continues. */
  async bringUpToDate({ signal, progress, isPatient, asked }: LocalWait): Promise<boolean> {
    const isNew = asked?.topics.some((topic) => !this.#asked.topics.has(topic)) ?? false;
    for (const label of asked?.labels ?? []) this.#asked.labels.add(label);
    for (const topic of asked?.topics ?? []) this.#asked.topics.add(topic);
    const work = this.#request();
    const stored = !isNew && (await (await this.#options.access()).forReading()) !== undefined;
    this.#waiting.add(progress);
    const done = new AbortController();
    const late = pause(isPatient ? 2 ** 31 - 1 : stored ? WAIT_MS : FIRST_WAIT_MS, false, {
      signal: AbortSignal.any([signal, done.signal]),
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      done.abort();
      late.catch(() => undefined);
      this.#waiting.delete(progress);
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled([this.#running, this.#queued]);
  }

  /** Work that is under way may have listed the files before the last change: then the caller gets the next one. */
  #request(): Promise<boolean> {
    if (!this.#running) return this.#start();
    this.#queued ??= this.#running.then(() => {
      this.#queued = undefined;
      return this.#start();
    });
    return this.#queued;
  }

  #start(): Promise<boolean> {
    const run = this.#run()
      .catch((thrown: unknown) => {
        if (!this.#ending.signal.aborted)
          this.#options.machine.logger.warn(`documents were not updated: ${asDomainError(thrown).message}`);
        return false;
      })
      .finally(() => {
        this.#running = undefined;
      });
    this.#running = run;
    return run;
  }

  async #run(): Promise<boolean> {
    const { machine, treeChanges } = this.#options;
    const config = await machine.config();
    const labels = [...localLabels(config, machine.root), ...this.#askedIn(config)];
    // The watcher does not report files that git ignores: sources that may have such files are looked at each time.
    const isReported = (label: string) => sectionOf(config, label)?.gitignore === true;
    const changes = labels.some(isReported) ? await treeChanges() : undefined;
    const isTrusted =
      changes !== undefined &&
      changes === this.#verified?.changes &&
      performance.now() - this.#verified.at < TRUST_MS;
    const unsure = isTrusted ? labels.filter((label) => !isReported(label)) : labels;
    for (const target of await this.#targetsBehind(unsure, config)) await this.#sync(target);
    if (!isTrusted) this.#verified = { changes, at: performance.now() };
    return true;
  }

  /** Sources with changed files. The default source is gone if its last file is: then its documents are removed. */
  async #targetsBehind(labels: readonly string[], config: Config): Promise<string[]> {
    const database = await (await this.#options.access()).forReading();
    if (!database) return [...labels];
    const isDefaultGone =
      !configuredLabels(config).includes(DEFAULT_SOURCE) &&
      storedLabels(database.store).includes(DEFAULT_SOURCE);
    const behind = isDefaultGone ? [DEFAULT_SOURCE] : [];
    for (const label of labels) {
      const connector = await openConnector(label, config, this.#options.machine);
      const known = readItemRecords(database.store, label);
      const topics = [...this.#asked.topics];
      const wanted = { known, readAt: undefined, topics };
      const listing = await connector.list(this.#ending.signal, wanted);
      const { toRead, left } = chooseItems(listing, known, EVERYTHING);
      if (toRead.length + left.length > 0) behind.push(label);
    }
    return behind;
  }

  #askedIn(config: Config): string[] {
    return configuredLabels(config).filter((label) => this.#asked.labels.has(label));
  }

  async #sync(target: string): Promise<void> {
    const topics = [...this.#asked.topics];
    const request = { target, full: false, dry_run: false, isForSearch: true, topics };
    const progress: Progress = {
      report: (step: ProgressStep) => this.#waiting.forEach((waiting) => void waiting.report(step)),
      note: () => {},
    };
    await this.#options.sync(request, { signal: this.#ending.signal, progress });
  }
}

/** A sync reports a missing directory as a failure and keeps its documents; a search does not ask again and again. */
function localLabels({ connectors }: Config, root: string): string[] {
  const isLocal = (directory: string) => isInside(root, directory) && existsSync(directory);
  return Object.entries(connectors.filesystem)
    .filter(([, section]) => isLocal(resolve(root, section.root)))
    .map(([name]) => `filesystem:${name}`);
}

const sectionOf = ({ connectors }: Config, label: string) =>
  connectors.filesystem[label.slice("filesystem:".length)];
