import robots from "robots-parser";
import { DomainError } from "../../../../core/errors.ts";
import { type FetchLimits, fetchPage, USER_AGENT } from "../fetch-page.ts";

export interface Robots {
  isAllowed(address: string): Promise<boolean>;
  delayMs(origin: string): Promise<number>;
}

// The package is CommonJS whose types describe an ES module: what its types call `default` is the module itself.
const parseRobots = robots as unknown as typeof robots.default;

const MOST_BYTES = 512 * 1024;
/** A site that asks for more is read at this pace. */
const LONGEST_DELAY_MS = 10_000;

/** The robots.txt of every origin asked about, read once. */
export function openRobots(limits: FetchLimits): Robots {
  const rules = new Map<string, Promise<ReturnType<typeof parseRobots>>>();
  const rulesOf = (origin: string) => {
    const known = rules.get(origin) ?? readRules(origin, limits);
    rules.set(origin, known);
    return known;
  };
  return {
    isAllowed: async (address) =>
      (await rulesOf(new URL(address).origin)).isAllowed(address, USER_AGENT) ?? true,
    delayMs: async (origin) =>
      Math.min(((await rulesOf(origin)).getCrawlDelay(USER_AGENT) ?? 0) * 1_000, LONGEST_DELAY_MS),
  };
}

/** No robots.txt allows everything; one that cannot be had, while the site is in trouble, allows nothing (RFC 9309). */
async function readRules(origin: string, limits: FetchLimits) {
  const address = `${origin}/robots.txt`;
  const { status, body } = await fetchPage(address, {}, { ...limits, maxBytes: MOST_BYTES });
  if (status >= 500) throw new DomainError("unavailable", `robots.txt answers ${status}`);
  return parseRobots(address, status === 200 ? new TextDecoder().decode(body) : "");
}
