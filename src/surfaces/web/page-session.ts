import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The header that scripts of the page send, and no other page can. */
export const PAGE_HEADER = "contextful-page";

/**
 * How the server knows its own page. A cookie that scripts cannot read (HttpOnly, SameSite=Strict) and a header that only
 * the page's script sends must both be right. With a bearer token both are derived from it, so that the token is asked for
 * once, also if the server starts again.
 */
export class PageSession {
  readonly #cookie: string;
  /** The value of the header. */
  readonly token: string;

  constructor(bearer: string | undefined) {
    const key = bearer ?? randomBytes(32);
    const derive = (purpose: string) =>
      createHmac("sha256", key).update(`contextful page ${purpose}`).digest("hex");
    this.#cookie = derive("cookie");
    this.token = derive("header");
  }

  /** Cookies do not know ports, but every server needs its own. */
  setCookie(request: Request): string {
    const secure = new URL(request.url).protocol === "https:" ? "; Secure" : "";
    return `${nameFor(request)}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict${secure}`;
  }

  hasCookie(request: Request): boolean {
    const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
    const given = cookies.find((cookie) => cookie.startsWith(`${nameFor(request)}=`))?.split("=")[1];
    return given !== undefined && isSame(given, this.#cookie);
  }

  /** True for calls of the page's script, which alone may write. */
  isPage(request: Request): boolean {
    return this.hasCookie(request) && isSame(request.headers.get(PAGE_HEADER) ?? "", this.token);
  }
}

/** True unless a browser says that another site or port made the request. */
export function isOwnSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  // Behind a proxy the scheme may differ.
  return origin === null || hostOf(origin) === new URL(request.url).host;
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** A browser marks its requests; other programs do not. */
export const isFromBrowser = (request: Request): boolean =>
  request.headers.has("sec-fetch-site") || request.headers.has("origin");

const nameFor = (request: Request) => `contextful_${new URL(request.url).port || "80"}`;

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac("sha256", "compare").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
