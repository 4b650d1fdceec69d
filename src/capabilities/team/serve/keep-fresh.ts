import type { Machine } from "../../../core/machine.ts";
import type { AccessBook } from "../access/access-book.ts";
import type { AuditBuffer } from "../access/audit-buffer.ts";
import type { TeamDatabase } from "../database/team-database.ts";
import type { ProjectEvents } from "./project-events.ts";
import type { ServedProjects } from "./served-projects.ts";

interface FreshParts {
  readonly machine: Machine;
  readonly database: Pick<TeamDatabase, "listen">;
  readonly book: AccessBook;
  readonly served: ServedProjects;
  readonly audit: AuditBuffer;
  readonly events: ProjectEvents;
}
/** How long denied calls and expired tokens wait: the database is asked for nothing. */
const TICK_MS = 200;
/** A notification may be lost, for example in a connection pool between us and the database. */
const ASK_MS = 2_000;

/**
 * Reads what changed as soon as the database notifies. While it is away, what is known stays. Indexes are followed beside it: a
 * large one must not delay the news that a token was revoked.
 */
export function keepFresh({ machine, database, book, served, audit, events }: FreshParts): AsyncDisposable {
  const ending = new AbortController();
  const news = newsOf(database, ending.signal);
  let isAway = false;
  let following: Promise<void> | undefined;
  const refresh = async () => {
    try {
      const { changed } = await book.refresh(machine.now());
      if (isAway) machine.logger.info("the team's database is back");
      if (changed || isAway) served.isBehind = true;
      isAway = false;
    } catch (thrown) {
      if (!isAway) machine.logger.warn(`the team's database is away: ${String(thrown)}`);
      isAway = true;
    }
  };
  const follow = () => {
    if (!served.isBehind || isAway || following) return;
    served.isBehind = false;
    following = served.followPublished().finally(() => {
      following = undefined;
    });
  };
  const loop = (async () => {
    while (!ending.signal.aborted) {
      if (await news.next()) await refresh();
      if (!isAway) {
        events.refresh(machine.now());
        await audit.flush();
      }
      follow();
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await loop;
      await news.ended;
      await following;
    },
  };
}

/** `next` waits for a tick or for news, and tells whether the database should be asked. */
function newsOf(database: FreshParts["database"], signal: AbortSignal) {
  let isNews = true;
  let askedAt = 0;
  let wake = () => {};
  const ended = database.listen(() => {
    isNews = true;
    wake();
  }, signal);
  signal.addEventListener("abort", () => wake(), { once: true });
  return {
    ended,
    async next(): Promise<boolean> {
      if (!isNews && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, TICK_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const isDue = isNews || performance.now() - askedAt >= ASK_MS;
      if (!isDue || signal.aborted) return false;
      isNews = false;
      askedAt = performance.now();
      return true;
    },
  };
}
