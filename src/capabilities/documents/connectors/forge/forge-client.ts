import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../../core/errors.ts";
import { parseJson } from "../../../../core/json.ts";
import type { Logger } from "../../../../core/logger.ts";
import { type FetchedPage, fetchPage } from "../fetch-page.ts";

interface ForgeClientOptions {
  readonly label: string;
  /** The address of the API; nothing else gets the token. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the variable that holds the token, for messages. */
  readonly tokenEnv: string | undefined;
  readonly allowPrivate: boolean;
  readonly logger: Pick<Logger, "info">;
  now(): Date;
}
export interface ForgeClient {
  /** The entries of a list, page after page, up to `most`. Throws `unavailable` with a reason for people. */
  list(
    path: string,
    query: Readonly<Record<string, string>>,
    options: ListOptions,
  ): Promise<readonly unknown[]>;
}
interface ListOptions {
  readonly signal: AbortSignal;
  readonly most: number;
}

const MOST_BYTES = 20 * 1024 * 1024;
const PER_PAGE = 100;
/** A longer wait is left to the next sync. */
const LONGEST_WAIT_MS = 60_000;
const MOST_TRIES = 3;
/** What GitHub asks for if it refuses without a time. */
const UNNAMED_WAIT_MS = 60_000;
/** Forges count by the hour. A later time is a mistake, or after the end of the calendar. */
const LONGEST_LIMIT_MS = 86_400_000;

/** Lists of a forge's API. It follows pages, waits as it is told, and stops asking once the limit is used up. */
export function openForgeClient(options: ForgeClientOptions): ForgeClient {
  const { origin } = new URL(options.base);
  let refusedUntil = 0;
  const refuseIfLimited = () => {
    if (options.now().getTime() >= refusedUntil) return;
    const until = new Date(refusedUntil).toISOString().slice(0, 19);
    throw new DomainError("unavailable", `the rate limit is used up; sync again after ${until}Z`);
  };
  const get = async (address: string, signal: AbortSignal): Promise<FetchedPage> => {
    for (let tries = 1; ; tries += 1) {
      refuseIfLimited();
      const onRedirect = async (to: URL) => requireOrigin(to, origin);
      const limits = { maxBytes: MOST_BYTES, allowPrivate: options.allowPrivate, signal, onRedirect };
      const page = await fetchPage(address, options.headers, limits);
      const waitMs = limitedFor(page, options.now());
      if (waitMs === undefined) return page;
      if (waitMs > LONGEST_WAIT_MS || tries >= MOST_TRIES) {
        refusedUntil = options.now().getTime() + waitMs;
        continue;
      }
      options.logger.info(`${options.label}: too many requests; goes on in ${Math.ceil(waitMs / 1_000)} s`);
      await pause(waitMs, undefined, { signal });
    }
  };
  return {
    async list(path, query, { signal, most }) {
      const entries: unknown[] = [];
      const asked = new URLSearchParams({ ...query, per_page: String(Math.min(PER_PAGE, most)) });
      let next: string | undefined = `${options.base}${path}?${asked}`;
      while (next !== undefined && entries.length < most) {
        const page: FetchedPage = await get(next, signal);
        if (page.status !== 200) throw refusal(page, options);
        const found = parseJson(new TextDecoder().decode(page.body));
        if (!Array.isArray(found)) throw new DomainError("unavailable", "the answer is not a list");
        for (const entry of found.slice(0, most - entries.length)) entries.push(entry);
        next = nextOf(page, origin);
        // A server may name pages without end.
        if (found.length === 0) break;
      }
      return entries;
    },
  };
}

function requireOrigin(url: URL, origin: string): void {
  if (url.origin !== origin) throw new DomainError("unavailable", `redirects to another host, ${url.host}`);
}

/** Milliseconds to wait, if the server refuses because of too many requests. */
function limitedFor({ status, headers }: FetchedPage, now: Date): number | undefined {
  const header = (name: string) => Number(headers[name] ?? Number.NaN);
  const retryAfter = header("retry-after");
  const isUsedUp = header("x-ratelimit-remaining") === 0 || header("ratelimit-remaining") === 0;
  if (status !== 429 && !(status === 403 && (isUsedUp || retryAfter >= 0))) return undefined;
  const reset = header("x-ratelimit-reset") || header("ratelimit-reset");
  const named = retryAfter >= 0 ? retryAfter * 1_000 : Math.max(1_000, reset * 1_000 - now.getTime());
  return reset > 0 || retryAfter >= 0 ? Math.min(named, LONGEST_LIMIT_MS) : UNNAMED_WAIT_MS;
}

function refusal({ status }: FetchedPage, { tokenEnv, headers }: ForgeClientOptions): DomainError {
  const hasToken = Object.keys(headers).some((name) => /^(?:authorization|private-token)$/i.test(name));
  const hint = hasToken
    ? `check the repository and the token in ${tokenEnv}`
    : "a private repository needs token_env in your own config.toml";
  const isAccess = status === 401 || status === 403 || status === 404;
  return new DomainError("unavailable", isAccess ? `answers ${status}; ${hint}` : `answers ${status}`, {
    details: { status },
  });
}

/** `<address>; rel="next"`. Another host could be given the token. */
function nextOf({ headers, url }: FetchedPage, origin: string): string | undefined {
  const link = typeof headers["link"] === "string" ? headers["link"] : "";
  const address = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  if (address === undefined) return undefined;
  const next = new URL(address, url);
  requireOrigin(next, origin);
  return next.href;
}
