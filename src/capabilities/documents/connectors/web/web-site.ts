import { setTimeout as pause } from "node:timers/promises";
import robotsParser from "robots-parser";
import { DomainError } from "../../../../core/errors.ts";
import { type FetchLimits, fetchPage, USER_AGENT } from "../fetch-page.ts";

// The package is CommonJS, but its types describe an ES module: their `default` is the module itself.
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

const MOST_BYTES = 512 * 1024;
/** A longer delay in robots.txt is cut to this. */
const LONGEST_DELAY_MS = 10_000;

export interface SiteOptions {
  readonly tags: readonly string[];
  readonly delayMs: number;
  readonly settings: string;
}

/** How the pages of a source may be requested. */
export interface Site {
  readonly options: SiteOptions;
  readonly limits: FetchLimits;
  /** Throws if robots.txt does not allow it. */
  requireAllowed(url: URL): Promise<void>;
  /** Waits as long as the site wants between two requests. */
  waitForTurn(origin: string): Promise<void>;
}

export function openSite(options: SiteOptions, limits: FetchLimits): Site {
  const robots = openRobots(limits);
  let isFirst = true;
  return {
    options,
    limits,
    async requireAllowed(url) {
      if (await robots.isAllowed(url.href)) return;
      throw new DomainError("unavailable", "robots.txt does not allow it", { reason: "not_allowed" });
    },
    async waitForTurn(origin) {
      const delay = Math.max(options.delayMs, await robots.delayMs(origin));
      if (!isFirst && delay > 0) await pause(delay, undefined, { signal: limits.signal });
      isFirst = false;
    },
  };
}

/** Reads the robots.txt of every origin once. */
function openRobots(limits: FetchLimits) {
  const rules = new Map<string, Promise<ReturnType<typeof parseRobots>>>();
  const rulesOf = (origin: string) => {
    const known = rules.get(origin) ?? readRules(origin, limits);
    rules.set(origin, known);
    return known;
  };
  return {
    isAllowed: async (address: string) =>
      (await rulesOf(new URL(address).origin)).isAllowed(address, USER_AGENT) ?? true,
    delayMs: async (origin: string) =>
      Math.min(((await rulesOf(origin)).getCrawlDelay(USER_AGENT) ?? 0) * 1_000, LONGEST_DELAY_MS),
  };
}

/** Without robots.txt everything is allowed; if the server fails, nothing is (RFC 9309). */
async function readRules(origin: string, limits: FetchLimits) {
  const address = `${origin}/robots.txt`;
  const { status, body } = await fetchPage(address, {}, { ...limits, maxBytes: MOST_BYTES });
  if (status >= 500) throw new DomainError("unavailable", `robots.txt answers ${status}`);
  return parseRobots(address, status === 200 ? new TextDecoder().decode(body) : "");
}
