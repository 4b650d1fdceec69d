import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock } from "../../../core/lock/lock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { currentFile } from "../store/generations.ts";
import type { Project } from "../store/project.ts";
import { embedInBackground } from "./embed.ts";

const LOOK_EVERY_MS = 10_000;

interface Served {
  /** By directory; more may come while it runs. */
  readonly projects: ReadonlyMap<string, Project>;
  readonly embeddings: Embeddings;
  readonly logger: Logger;
}

/** Embeds what is indexed, and again whenever the index has changed, until the signal ends it. Failures go to the log. */
export async function embedServed(served: Served, signal: AbortSignal): Promise<void> {
  if (served.embeddings.betterId === undefined) return;
  const seen = new Map<string, string>();
  while (!signal.aborted) {
    for (const [directory, project] of served.projects) {
      if (stamp(project) === seen.get(directory)) continue;
      seen.set(directory, (await embedOnce(project, served, signal)) ? stamp(project) : "");
    }
    await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** False where another process is at it: one is enough, and the work is the same. */
async function embedOnce(
  project: Project,
  { embeddings, logger }: Omit<Served, "projects">,
  signal: AbortSignal,
): Promise<boolean> {
  if (currentFile(project) === undefined) return true;
  try {
    using _turn = await acquireLock({
      directory: project.directory,
      name: "code-embedding",
      purpose: "embedding code",
    });
    await embedInBackground(project, embeddings, { signal });
    return true;
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "busy") return false;
    if (!signal.aborted) logger.error("embedding in the background stopped:", thrown);
    return true;
  }
}

/** Changes with every publication and every write. */
function stamp(project: Project): string {
  const file = currentFile(project);
  if (file === undefined) return "";
  const stats = [file, `${file}-wal`].map((part) => statSync(part, { throwIfNoEntry: false }));
  return [file, ...stats.map((stat) => `${stat?.size} ${stat?.mtimeMs}`)].join("\n");
}
