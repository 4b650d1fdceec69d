import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../../core/errors.ts";
import type { FetchLimits } from "../fetch-page.ts";
import { openRobots } from "./robots.ts";

export interface SiteOptions {
  readonly tags: readonly string[];
  readonly delayMs: number;
  readonly settings: string;
}

/** How the pages of a source may be asked for. */
export interface Site {
  readonly options: SiteOptions;
  readonly limits: FetchLimits;
  /** Throws where robots.txt does not allow it. */
  admit(url: URL): Promise<void>;
  /** Waits as long as the site wants between two requests. */
  rest(origin: string): Promise<void>;
}

export function openSite(options: SiteOptions, limits: FetchLimits): Site {
  const robots = openRobots(limits);
  let isFirst = true;
  return {
    options,
    limits,
    async admit(url) {
      if (await robots.isAllowed(url.href)) return;
      throw new DomainError("unavailable", "robots.txt does not allow it", { reason: "not_allowed" });
    },
    async rest(origin) {
      const delay = Math.max(options.delayMs, await robots.delayMs(origin));
      if (!isFirst && delay > 0) await pause(delay, undefined, { signal: limits.signal });
      isFirst = false;
    },
  };
}
