import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { Hono, type MiddlewareHandler } from "hono";
import { DomainError } from "../../core/errors.ts";
import type { App } from "../../core/room-offer.ts";
import { boundedQueue, type Queue } from "../queue.ts";
import { refuse } from "./answers.ts";
import { type AppRoutes, addAppRoutes } from "./app-routes.ts";

export { trustedProxies } from "./client-address.ts";
export { type Listening, listen } from "./listen.ts";
export { type TeamHttp, type TeamHttpOptions, teamHttpApp } from "./team-http.ts";

interface GuardOptions {
  /** The bound address. If it is a loopback address, the Host header must name this machine. */
  readonly host: string;
  readonly token?: string | undefined;
}
export interface HttpOptions extends GuardOptions, Omit<AppRoutes, "queue" | "hasToken"> {
  /** Shared with MCP. Default: one of its own. */
  readonly queue?: Queue;
}

/** Plain HTTP: the documents contract's routes, every other tool under /tools, MCP under /mcp. */
export function httpApp(app: App, options: HttpOptions): Hono {
  const { version, mcp, queue = boundedQueue(), page, calls, ...guard } = options;
  if (guard.token === undefined && !isLoopback(guard.host)) {
    throw new DomainError(
      "invalid_input",
      `Refusing to serve on ${guard.host} without a token: others could read the project. Give --token-file FILE.`,
    );
  }
  const hono = new Hono();
  hono.use(onlyFromHere({ ...guard, page }));
  for (const path of ["/healthz", "/health"]) {
    hono.get(path, (context) => context.json({ status: "ok", version }));
  }
  addAppRoutes(hono, app, { version, mcp, queue, page, calls, hasToken: guard.token !== undefined });
  return hono;
}

/**
 * Web pages must not reach a server on this machine. The Host check stops DNS rebinding, the Origin check stops pages that
 * call localhost. If the server listens on a wider address, the token keeps strangers out.
 */
const onlyFromHere =
  ({ host, token, page }: GuardOptions & Pick<HttpOptions, "page">): MiddlewareHandler =>
  async (context, next) => {
    const isLocal = isLoopback(host);
    const asked = hostOf(`http://${context.req.header("host") ?? ""}`);
    if (isLocal && (asked === undefined || !isLoopback(asked))) {
      return refuse(context, 403, "This server answers to localhost only.");
    }
    const origin = context.req.header("origin");
    const from = origin === undefined ? asked : hostOf(origin);
    const isSameHost = from !== undefined && from === asked;
    if (origin !== undefined && !(isLocal ? from !== undefined && isLoopback(from) : isSameHost)) {
      return refuse(context, 403, "Pages of other sites may not call this server.");
    }
    const isAdmitted = page?.isAdmitted(context.req.raw) ?? false;
    if (token !== undefined && !isAdmitted && !hasToken(context.req.header("authorization"), token)) {
      context.header("WWW-Authenticate", "Bearer");
      return refuse(context, 401, "A bearer token is needed: Authorization: Bearer TOKEN.");
    }
    return next();
  };

/** Compares hashes, so that the time taken shows neither the length nor a common prefix. */
function hasToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  // The name of the scheme is not case-sensitive.
  return timingSafeEqual(digest((header ?? "").replace(/^bearer /i, "Bearer ")), digest(`Bearer ${token}`));
}

function hostOf(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  try {
    const { hostname, username, password } = new URL(address);
    // `http://evil.example@localhost`: no browser sends a name there.
    return username === "" && password === "" ? hostname : undefined;
  } catch {
    return undefined;
  }
}

/** True for names and addresses of this machine only. */
const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  return isIP(bare) === 4 && bare.startsWith("127.");
};
