import { setTimeout as pause } from "node:timers/promises";
import type { Machine } from "../../../core/machine.ts";
import type { AccessBook } from "../access/access-book.ts";
import type { AuditBuffer } from "../access/audit-buffer.ts";
import type { ProjectEvents } from "./project-events.ts";
import type { ServedProjects } from "./served-projects.ts";

interface FreshParts {
  readonly machine: Machine;
  readonly book: AccessBook;
  readonly served: ServedProjects;
  readonly audit: AuditBuffer;
  readonly events: ProjectEvents;
}
const REFRESH_MS = 200;

/**
 * Asks the database for news five times a second. While it is away, what is known stays. Indexes are followed beside it: a large
 * one must not delay the news that a token was revoked.
 */
export function keepFresh({ machine, book, served, audit, events }: FreshParts): AsyncDisposable {
  const ending = new AbortController();
  let isAway = false;
  let following: Promise<void> | undefined;
  const refresh = async () => {
    try {
      const { changed } = await book.refresh(machine.now());
      if (isAway) machine.logger.info("the team's database is back");
      if (changed || isAway) served.isBehind = true;
      isAway = false;
      events.refresh(machine.now());
      await audit.flush();
    } catch (thrown) {
      if (!isAway) machine.logger.warn(`the team's database is away: ${String(thrown)}`);
      isAway = true;
    }
    if (!served.isBehind || isAway || following) return;
    served.isBehind = false;
    following = served.followPublished().finally(() => {
      following = undefined;
    });
  };
  const loop = (async () => {
    while (!ending.signal.aborted) {
      await pause(REFRESH_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      if (!ending.signal.aborted) await refresh();
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await loop;
      await following;
    },
  };
}
