import { DomainError } from "../../../../core/errors.ts";
import { byCodeUnit } from "../../../../core/order.ts";
import type { Connector, SourceListing } from "../connector.ts";
import { type FetchLimits, fetchPage, reasonOf } from "../fetch-page.ts";
import { pathMatcher } from "../path-matcher.ts";
import { MOST_SITEMAP_BYTES, plainAddress, readSitemaps } from "./site-pages.ts";
import { pageItem } from "./web-page.ts";
import { openSite, type SiteOptions } from "./web-site.ts";

interface WebOptions extends SiteOptions {
  readonly label: string;
  readonly sitemap: string | undefined;
  readonly pages: readonly string[];
  /** Matched against the path of an address, without its first slash. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly allowPrivate: boolean;
}

/** Pages of a site, from its sitemap or a list, one at a time. It obeys robots.txt and skips unchanged pages. */
export function webConnector(options: WebOptions): Connector {
  const limitsFor = (signal: AbortSignal): FetchLimits => ({
    maxBytes: options.maxBytes,
    allowPrivate: options.allowPrivate,
    signal,
  });
  return {
    label: options.label,
    type: "web",
    parallel: 1,
    async check(signal) {
      const address = options.sitemap ?? options.pages[0];
      if (address === undefined) return { healthy: false, notes: "neither sitemap nor pages are configured" };
      try {
        const { status } = await fetchPage(
          address,
          {},
          { ...limitsFor(signal), maxBytes: MOST_SITEMAP_BYTES },
        );
        return {
          healthy: status < 400,
          notes: status < 400 ? `site: ${address}` : `${address} answers ${status}`,
        };
      } catch (thrown) {
        return { healthy: false, notes: `${address}: ${reasonOf(thrown)}` };
      }
    },
    list: (signal) => listPages(options, limitsFor(signal)),
  };
}

async function listPages(options: WebOptions, limits: FetchLimits): Promise<SourceListing> {
  const listed = options.sitemap === undefined ? undefined : await readSitemaps(options.sitemap, limits);
  const problems = [...(listed?.problems ?? [])];
  const found = new Map<string, string | undefined>([
    ...options.pages.map((page) => [plainAddress(page), undefined] as const),
    ...(listed?.pages ?? []),
  ]);
  if (found.size === 0 && problems.length > 0) {
    throw new DomainError("unavailable", `${options.label}: ${problems[0]}`);
  }
  const isWanted = pathMatcher(options);
  const addresses = [...found.keys()].filter((address) => isWanted(pathForGlobs(address))).sort(byCodeUnit);
  if (addresses.length > options.maxPages) {
    problems.push(`${addresses.length} pages, of which max_pages = ${options.maxPages} are read`);
  }
  const site = openSite(options, limits);
  const items = addresses
    .slice(0, options.maxPages)
    .map((address) => pageItem(site, address, found.get(address)));
  return { items, problems, leftOut: listed?.leftOut ?? [] };
}

/** The path as people write it: decoded, without the first slash. */
function pathForGlobs(address: string): string {
  const path = new URL(address).pathname.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
