import type { BlockList } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { edgeError } from "../../core/edge-error.ts";
import type { Logger } from "../../core/logger.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { MAX_GENERATION_BYTES, MAX_MANIFEST_BYTES } from "../../core/replica/replica.ts";
import type { App } from "../../core/room-offer.ts";
import { encodedEvent, eventStream } from "../event-stream.ts";
import { errorBody, refuse } from "./answers.ts";
import { type AppRoutes, addAppRoutes } from "./app-routes.ts";
import { readBody, tooLarge } from "./body.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpPage } from "./http-page.ts";

interface TeamToken {
  readonly id: string;
  readonly name: string;
}
type TeamAdmission<Token> =
  | { readonly token: Token }
  | { readonly refused: "unknown" }
  | { readonly refused: "too_many"; readonly retryAfterSeconds: number };

interface TeamReplicaRequest {
  readonly name: string;
  readonly body: Uint8Array;
  readonly manifests: readonly string[];
}

interface TeamEventReader {
  tell(event: { readonly event: string }): void;
  end(): void;
}

/** What HTTP needs of a team's server. The room `team` provides it. */
export interface TeamHttp<Token extends TeamToken = TeamToken> {
  admit(bearer: string | undefined, address: string): Promise<TeamAdmission<Token>>;
  /** The tools as this token sees them. */
  appFor(token: Token): App;
  replicaCall(token: Token, request: TeamReplicaRequest): Promise<Response>;
  mayReadMetrics(token: Token): boolean;
  /** True if the token may publish any project. */
  mayPublish(token: Token): boolean;
  webhook(headers: Headers, body: Uint8Array, address: string): Promise<boolean>;
  /** Tells of projects that the token may see. Returns how to leave, or `undefined` if it listens too often. */
  events(token: Token, reader: TeamEventReader): (() => void) | undefined;
  readonly requests: { add(route: string, status: number, seconds: number): void };
  metrics(): Promise<string>;
  awaySeconds(): number;
}
/** What HTTP needs of the page of a team's server. `surfaces/web` provides it. */
interface TeamHttpPage {
  /** A file that everybody may read: none of them tells anything of a project. */
  file(path: string): Promise<Response | undefined>;
  pageFor(app: App): HttpPage;
}
export interface TeamHttpOptions extends Pick<AppRoutes, "version" | "queue"> {
  readonly logger: Logger;
  readonly proxies: BlockList;
  readonly page?: TeamHttpPage;
  /** Makes the MCP handler of one caller. */
  mcpFor(app: App): AppRoutes["mcp"];
  /** One entry for each answered request. */
  log(entry: Readonly<Record<string, unknown>>): void;
}
interface TeamVariables {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: { address: string; caller: string };
}
type TeamContext = Context<TeamVariables>;

const MAX_CALLERS = 500;
const MOST_MANIFESTS = 4;
const NEEDS_TOKEN = "A bearer token is needed: Authorization: Bearer TOKEN.";

/** Many projects for many callers: every request needs a token, but for the health check and for webhooks, which are signed. */
export function teamHttpApp<Token extends TeamToken>(team: TeamHttp<Token>, options: TeamHttpOptions) {
  const { version, logger } = options;
  const hono = new Hono<TeamVariables>();
  const callers = new LruCache<Hono>(MAX_CALLERS);
  hono.use(async (context, next) => {
    const started = performance.now();
    const { incoming } = context.env ?? {};
    context.set(
      "address",
      clientAddress(incoming?.socket.remoteAddress, context.req.raw.headers, options.proxies),
    );
    await next();
    const seconds = (performance.now() - started) / 1_000;
    const { method, path } = context.req;
    const { status } = context.res;
    team.requests.add(routeOf(path), status, seconds);
    const [address, caller] = [context.get("address"), context.get("caller")];
    options.log({
      method,
      path,
      status,
      ms: Math.round(seconds * 1e4) / 10,
      address,
      ...(caller && { caller }),
    });
  });
  hono.get("/healthz", (context) => {
    const seconds = team.awaySeconds();
    return context.json({ status: "ok", version, database: seconds > 0 ? "away" : "ok" });
  });
  hono.post("/webhooks", async (context) => {
    const body = await readBody(context.req.raw);
    if (body === undefined) return tooLarge(context);
    const isSigned = await team.webhook(context.req.raw.headers, body, context.get("address"));
    // Whether the repository is registered is not told.
    return isSigned
      ? context.json({ status: "accepted" }, 202)
      : refuse(context, 401, "The signature is wrong.");
  });
  hono.get("*", async (context, next) => (await options.page?.file(context.req.path)) ?? next());
  hono.all("*", async (context) => {
    const bearer = /^bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const admitted = await team.admit(bearer, context.get("address"));
    if ("refused" in admitted) return refuseCaller(context, admitted);
    const { token } = admitted;
    context.set("caller", token.name);
    if (context.req.path === "/metrics" && team.mayReadMetrics(token))
      return context.text(await team.metrics(), 200, { "Content-Type": "text/plain; version=0.0.4" });
    if (context.req.method === "GET" && context.req.path === "/events")
      return answerEvents(team, token, context);
    if (context.req.method === "POST" && context.req.path.startsWith("/replica/"))
      return answerReplica(team, token, context);
    return callers.of(token.id, () => callerApp(team.appFor(token), options)).fetch(context.req.raw);
  });
  hono.onError((thrown, context) => {
    const { code, message } = edgeError(thrown, logger);
    return context.json(errorBody(code, message), code === "unavailable" ? 503 : 500);
  });
  return hono;
}

/** A generation with its manifest. */
const LARGEST_PUBLICATION = MAX_MANIFEST_BYTES + MAX_GENERATION_BYTES;

/** Not through the queue of tools: blocks are read from the database, not computed. */
async function answerReplica<Token extends TeamToken>(
  team: TeamHttp<Token>,
  token: Token,
  context: TeamContext,
): Promise<Response> {
  const { raw } = context.req;
  const name = context.req.path.slice("/replica/".length);
  const isPublication = name === "publish" && team.mayPublish(token);
  const body = await readBody(raw, isPublication ? LARGEST_PUBLICATION : undefined);
  if (body === undefined) return tooLarge(context);
  const manifests = (context.req.header("contextful-manifests") ?? "").split(",");
  const named = manifests.filter((id) => /^[0-9a-f]{64}$/.test(id)).slice(0, MOST_MANIFESTS);
  return team.replicaCall(token, { name, body, manifests: named });
}

/** Each event has the name of what happened, and JSON. */
function answerEvents<Token extends TeamToken>(
  team: TeamHttp<Token>,
  token: Token,
  context: TeamContext,
): Response {
  let isRefused = false;
  const stream = eventStream(context.req.raw.signal, {}, ({ send, end }) => {
    const tell = ({ event, ...data }: { readonly event: string }) => send(encodedEvent(event, data));
    const leave = team.events(token, { tell, end });
    isRefused = leave === undefined;
    tell({ event: "hello" });
    return leave ?? (() => {});
  });
  return isRefused ? refuseCaller(context, { refused: "too_many", retryAfterSeconds: 60 }) : stream;
}

function callerApp(app: App, { version, queue, mcpFor, page }: TeamHttpOptions): Hono {
  const hono = new Hono();
  addAppRoutes(hono, app, { version, queue, mcp: mcpFor(app), hasToken: true, page: page?.pageFor(app) });
  return hono;
}

function refuseCaller(
  context: TeamContext,
  admitted: Exclude<TeamAdmission<TeamToken>, { readonly token: unknown }>,
): Response {
  if (admitted.refused === "unknown") {
    // The page asks for an access token of the team, not for the token of one server.
    context.header("WWW-Authenticate", 'Bearer realm="team"');
    return refuse(context, 401, NEEDS_TOKEN);
  }
  context.header("Retry-After", String(admitted.retryAfterSeconds));
  return context.json(
    errorBody("busy", `Too many calls. Try again in ${admitted.retryAfterSeconds} s.`),
    429,
  );
}

/** A word of ours for each kind of path: callers must not be able to make up new ones. */
function routeOf(path: string): string {
  if (path.startsWith("/tools/")) return "tools";
  if (path.startsWith("/replica/")) return "replica";
  if (path === "/" || path.startsWith("/page/")) return "page";
  const known = ["/mcp", "/healthz", "/metrics", "/webhooks", "/openapi.json", "/tools", "/events"];
  return known.includes(path) ? path.slice(1) : "other";
}
