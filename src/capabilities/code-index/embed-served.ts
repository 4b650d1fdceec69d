import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../../core/logger.ts";
import type { Embeddings } from "../../core/search/index.ts";
import { embedInBackground } from "./background.ts";
import { currentFile } from "./generations.ts";
import type { Project } from "./project.ts";

/** A process that serves has time; the first calls of a session must not wait for a model to load. */
const FIRST_AFTER_MS = 3_000;
const LOOK_EVERY_MS = 10_000;

interface Served {
  readonly project: Project;
  readonly embeddings: Embeddings;
  readonly logger: Logger;
}

/** Embeds what is indexed, and again whenever the index has changed, until the signal ends it. Failures go to the log. */
export async function embedServed(
  { project, embeddings, logger }: Served,
  signal: AbortSignal,
): Promise<void> {
  if (embeddings.betterId === undefined) return;
  let seen = "";
  let wait = FIRST_AFTER_MS;
  while (await passes(wait, signal)) {
    wait = LOOK_EVERY_MS;
    const now = stamp(project);
    if (now === seen) continue;
    try {
      await embedInBackground(project, embeddings, { signal });
      seen = stamp(project);
    } catch (thrown) {
      if (signal.aborted) return;
      seen = now;
      logger.error("embedding in the background stopped:", thrown);
    }
  }
}

async function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  await pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}

/** Changes with every publication and every write. */
function stamp(project: Project): string {
  const file = currentFile(project);
  if (file === undefined) return "";
  const stats = [file, `${file}-wal`].map((part) => statSync(part, { throwIfNoEntry: false }));
  return [file, ...stats.map((stat) => `${stat?.size} ${stat?.mtimeMs}`)].join("\n");
}
