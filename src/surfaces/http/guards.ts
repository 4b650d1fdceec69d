import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { refuse } from "./answers.ts";

export interface GuardOptions {
  /** The bound address. If it is a loopback address, the Host header must name this machine. */
  readonly host: string;
  readonly token?: string | undefined;
}

/** True for names and addresses of this machine only. */
export const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  return isIP(bare) === 4 && bare.startsWith("127.");
};

/**
 * Web pages must not reach a server on this machine. The Host check stops DNS rebinding, the Origin check stops pages that
 * call localhost. If the server listens on a wider address, the token keeps strangers out.
 */
export const onlyFromHere =
  ({ host, token }: GuardOptions): MiddlewareHandler =>
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
    if (token !== undefined && !hasToken(context.req.header("authorization"), token)) {
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
    return new URL(address).hostname;
  } catch {
    return undefined;
  }
}
