import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { LruCache } from "../../../core/lru-cache.ts";
import type { Machine } from "../../../core/machine.ts";
import { answerReplicaCall, type ReplicaRequest } from "../../../core/replica/http/replica-handler.ts";
import { openTeamStore } from "../../../core/replica/open-replica.ts";
import type { App } from "../../../core/room-offer.ts";
import type { Call, Tool } from "../../../core/tool.ts";
import { AccessBook, type TokenRow } from "../access/access-book.ts";
import { Admission, type Admitted } from "../access/admission.ts";
import { AuditBuffer } from "../access/audit-buffer.ts";
import { unknownName } from "../access/tokens.ts";
import { TeamDatabase } from "../database/team-database.ts";
import { type IndexQueue, openIndexQueue } from "../jobs/index-queue.ts";
import { requestIndex } from "../projects/projects.ts";
import { readWebhook } from "../webhooks/webhook.ts";
import { BlockSets } from "./block-sets.ts";
import type { ProjectRooms } from "./followed-projects.ts";
import { type Gauge, RequestMetrics } from "./metrics.ts";
import { searchProjects } from "./search-projects.ts";
import { ServedProjects } from "./served-projects.ts";
import { serverTools, type TeamCaller } from "./server-tools.ts";
import { tokenReplica } from "./token-replica.ts";

export interface TeamServerOptions {
  readonly url: string;
  readonly cacheBytes: number;
  readonly maxOpen: number;
  /** Webhooks are refused without one. */
  readonly webhookSecret?: string | undefined;
}
/** What a process of `serve --database` does. All it holds can be lost: the database and the cache on disk have the rest. */
export interface TeamServer extends AsyncDisposable {
  admit(bearer: string | undefined, address: string): Promise<Admitted>;
  /** The tools as this token sees them. */
  appFor(token: TokenRow): App;
  /** A call of the team's store as this token may see it: for laptops and for publications. */
  replicaCall(
    token: TokenRow,
    request: ReplicaRequest & { readonly manifests: readonly string[] },
  ): Promise<Response>;
  /** True if the token may read the figures of the whole server. */
  mayReadMetrics(token: TokenRow): boolean;
  /** A push: asks for an index. False if the signature is wrong. */
  webhook(headers: Headers, body: Uint8Array, address: string): Promise<boolean>;
  readonly requests: RequestMetrics;
  metrics(): Promise<string>;
  /** For how many seconds the database has not answered; 0 if it does. */
  awaySeconds(): number;
}

const REFRESH_MS = 500;
/** The database has been away for longer than a slow query takes. */
const AWAY_MS = 5_000;
const MAX_CALLERS = 500;

/** Needs the database once, to know who may see what. After that it may be away. */
export async function openTeamServer(
  machine: Machine,
  rooms: ProjectRooms,
  options: TeamServerOptions,
): Promise<TeamServer> {
  const { url, cacheBytes: maxBytes, maxOpen, webhookSecret } = options;
  const { logger } = machine;
  const database = await TeamDatabase.open(url);
  const replica = await openTeamStore(url);
  const directory = join(machine.home, "team");
  const indexes = rooms.open({ replica, directory, maxBytes, maxOpen });
  const book = new AccessBook(database);
  const served = new ServedProjects({ indexes, replica, book, logger });
  const audit = new AuditBuffer(database, logger);
  const admission = new Admission({ book, audit, now: () => machine.now() });
  let opened: Promise<IndexQueue> | undefined;
  const queue = () => {
    opened ??= openIndexQueue(url, { database, logger, isWorker: false });
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const requests = new RequestMetrics();
  const blockSets = new BlockSets(replica.registry);
  const shared = { replica, database, book, audit, blockSets, kind: rooms.kind, now: () => machine.now() };
  const apps = new LruCache<App>(MAX_CALLERS);
  await book.refresh(machine.now());
  await served.open();
  const refreshing = keepFresh({ machine, book, served, audit });
  const awaySeconds = () => {
    const milliseconds = machine.now().getTime() - (book.readAt?.getTime() ?? 0);
    return milliseconds < AWAY_MS ? 0 : Math.round(milliseconds / 1_000);
  };
  return {
    requests,
    awaySeconds,
    admit: (bearer, address) => admission.admit(bearer, address),
    appFor: (token) =>
      apps.of(token.id, () =>
        appOf(machine, serverTools(rooms.tools, callerOf(token, { book, served, audit, awaySeconds }))),
      ),
    replicaCall: (token, { manifests, ...request }) =>
      answerReplicaCall(tokenReplica(shared, { token, manifests }), request),
    mayReadMetrics: ({ id }) => book.hasEverywhere(id, "admin"),
    async webhook(headers, body, address) {
      const news = webhookSecret === undefined ? undefined : readWebhook(headers, body, webhookSecret);
      if (!news) {
        audit.denied({ actor: "unknown", action: "webhook", target: "", address });
        return false;
      }
      const projects = book.idsOf(news.addresses);
      await requestIndex(database, projects);
      await (await queue()).send(projects);
      return true;
    },
    async metrics() {
      const waiting = await countWaiting(database).catch(() => Number.NaN);
      return requests.text(gauges(served, waiting, awaySeconds()));
    },
    async [Symbol.asyncDispose]() {
      await refreshing[Symbol.asyncDispose]();
      await audit.flush();
      await (await opened?.catch(() => undefined))?.[Symbol.asyncDispose]();
      await indexes[Symbol.asyncDispose]();
      await replica[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

interface CallerParts {
  readonly book: AccessBook;
  readonly served: ServedProjects;
  readonly audit: AuditBuffer;
  awaySeconds(): number;
}

/** What one token may do. It sees nothing but what the book lists for it. */
function callerOf(token: TokenRow, { book, served, audit, awaySeconds }: CallerParts): TeamCaller {
  const tellAge = (call: Call) => {
    const seconds = awaySeconds();
    if (seconds > 0)
      call.notice?.(`The team's database has been away for ${seconds} s: there may be a newer index.`);
  };
  return {
    projects: () => book.list(token.id, "read"),
    find(name, tool) {
      const project = book.find(token.id, "read", name);
      if (project) return project;
      audit.denied({ actor: token.name, action: tool, target: name });
      throw unknownName("project", name.slice(0, 200));
    },
    use(project, run, call) {
      tellAge(call);
      return served.use(project, run, call.signal);
    },
    searchMany(search, call) {
      tellAge(call);
      return searchProjects(served, search, call);
    },
  };
}

const gauges = (served: ServedProjects, waiting: number, awaySeconds: number): Gauge[] => [
  gauge("cache_hits_total", "Calls whose index was here.", served.counts.hits, "counter"),
  gauge("cache_misses_total", "Calls that had to wait for an index.", served.counts.misses, "counter"),
  gauge("projects_here", "Projects whose index is on this server.", served.size),
  gauge("generations_behind", "Projects here that have a newer index.", served.behind().length),
  gauge("projects_waiting", "Projects that wait for a worker.", waiting),
  gauge("database_away_seconds", "How long the database has not answered.", awaySeconds),
];
const gauge = (name: string, help: string, value: number, type: Gauge["type"] = "gauge"): Gauge => ({
  name,
  help,
  value,
  type,
});

const countWaiting = async (database: TeamDatabase): Promise<number> => {
  const text =
    "SELECT count(*)::int FROM contextful_team.projects WHERE indexed_at IS NULL OR indexed_at < requested_at";
  return (await database.rows(z.object({ count: z.int() }), text))[0]?.count ?? 0;
};

const appOf = (machine: Machine, tools: readonly Tool[]): App => ({
  machine,
  tools,
  resources: [],
  prompts: [],
  instructions: async () =>
    "This server knows your team's projects: their code, documents, memory and directories, read-only. list_projects names them; code_search without a project searches all of them, every other tool needs a project.",
  doctor: async () => [],
  startBackground: () => {},
  close: async () => {},
});

interface FreshParts {
  readonly machine: Machine;
  readonly book: AccessBook;
  readonly served: ServedProjects;
  readonly audit: AuditBuffer;
}

/**
 * Asks the database for news twice a second. While it is away, what is known stays. Indexes are followed beside it: a large
 * one must not delay the news that a token was revoked.
 */
function keepFresh({ machine, book, served, audit }: FreshParts): AsyncDisposable {
  const ending = new AbortController();
  let isAway = false;
  let following: Promise<void> | undefined;
  const refresh = async () => {
    try {
      const { changed } = await book.refresh(machine.now());
      if (isAway) machine.logger.info("the team's database is back");
      if (changed || isAway) served.isBehind = true;
      isAway = false;
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
