import { join } from "node:path";
import { z } from "zod";
import { LruCache } from "../../../core/lru-cache.ts";
import type { Machine } from "../../../core/machine.ts";
import { answerReplicaCall, type ReplicaRequest } from "../../../core/replica/http/replica-handler.ts";
import { openTeamStore } from "../../../core/replica/open-replica.ts";
import type { App } from "../../../core/room-offer.ts";
import type { Call } from "../../../core/tool.ts";
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
import { keepFresh } from "./keep-fresh.ts";
import { gauges, RequestMetrics } from "./metrics.ts";
import { type ProjectEventReader, ProjectEvents } from "./project-events.ts";
import { searchProjects } from "./search-projects.ts";
import { ServedProjects } from "./served-projects.ts";
import { serverPrompts, serverResources } from "./server-offers.ts";
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
  mayPublish(token: TokenRow): boolean;
  /** A push: asks for an index. False if the signature is wrong. */
  webhook(headers: Headers, body: Uint8Array, address: string): Promise<boolean>;
  /** Tells of projects that the token may see. Returns how to leave, or `undefined` if it listens too often. */
  events(token: TokenRow, reader: ProjectEventReader): (() => void) | undefined;
  /** Lets the readers of events go: otherwise a server that ends would wait for them. */
  endEvents(): void;
  readonly requests: RequestMetrics;
  metrics(): Promise<string>;
  /** For how many seconds the database has not answered; 0 if it does. */
  awaySeconds(): number;
}

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
  const events = new ProjectEvents(book);
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
  const refreshing = keepFresh({ machine, database, book, served, audit, events });
  const awaySeconds = () => {
    const milliseconds = machine.now().getTime() - (book.readAt?.getTime() ?? 0);
    return milliseconds < AWAY_MS ? 0 : Math.round(milliseconds / 1_000);
  };
  return {
    requests,
    awaySeconds,
    admit: (bearer, address) => admission.admit(bearer, address),
    appFor: (token) =>
      apps.of(token.id, () => appOf(machine, rooms, callerOf(token, { book, served, audit, awaySeconds }))),
    replicaCall: (token, { manifests, ...request }) =>
      answerReplicaCall(tokenReplica(shared, { token, manifests }), request),
    events: ({ id }, reader) => events.add(id, reader),
    endEvents: () => events.end(),
    mayPublish: ({ id }) => book.list(id, "publish").length > 0,
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
      throw unknownName("project", name.slice(0, 200), "list_projects has those that you may use.");
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

const countWaiting = async (database: TeamDatabase): Promise<number> => {
  const text =
    "SELECT count(*)::int FROM contextful_team.projects WHERE indexed_at IS NULL OR indexed_at < requested_at";
  return (await database.rows(z.object({ count: z.int() }), text))[0]?.count ?? 0;
};

const appOf = (machine: Machine, { tools, resources, prompts }: ProjectRooms, caller: TeamCaller): App => ({
  machine,
  tools: serverTools(tools, caller),
  resources: [serverResources(resources, caller)],
  prompts: serverPrompts(prompts, caller),
  instructions: async () =>
    "This server knows your team's projects: their code, documents, memory and directories, read-only. list_projects names them; code_search without a project searches all of them, every other tool needs a project.",
  doctor: async () => [],
  startBackground: () => {},
  close: async () => {},
});
