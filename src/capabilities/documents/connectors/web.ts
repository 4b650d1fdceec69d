import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { formatOfMediaType } from "../formats/format.ts";
import { instantOf } from "../timestamps.ts";
import type { Connector, Item, Known, Listing, Reading } from "./connector.ts";
import { type FetchLimits, fetchPage, type Page, reasonOf } from "./fetch-page.ts";
import { pathMatcher } from "./path-matcher.ts";
import { openRobots } from "./robots.ts";
import { MOST_SITEMAP_BYTES, readSitemaps, withoutFragment } from "./site-pages.ts";

export interface WebOptions {
  readonly label: string;
  readonly sitemap: string | undefined;
  readonly pages: readonly string[];
  /** Matched with the path of an address, without its first slash. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly delayMs: number;
  readonly allowPrivate: boolean;
  readonly settings: string;
}

const Validators = z.object({
  etag: z.string().optional(),
  modified: z.string().optional(),
  settings: z.string(),
});

/** Pages of a site, by its sitemap or a list: robots.txt is kept, unchanged pages are not sent again, one at a time. */
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
    async list(signal) {
      const site = openSite(options, limitsFor(signal));
      return listPages(site);
    },
  };
}

interface Site {
  readonly options: WebOptions;
  readonly limits: FetchLimits;
  /** Throws where robots.txt does not allow it. */
  admit(url: URL): Promise<void>;
  /** Waits as long as the site wants between two requests. */
  rest(origin: string): Promise<void>;
}

function openSite(options: WebOptions, limits: FetchLimits): Site {
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

async function listPages(site: Site): Promise<Listing> {
  const { options } = site;
  const problems: string[] = [];
  const found = new Map<string, string | undefined>();
  for (const page of options.pages) found.set(withoutFragment(page), undefined);
  if (options.sitemap !== undefined) {
    const listed = await readSitemaps(options.sitemap, site.limits);
    for (const [address, lastModified] of listed.pages) found.set(address, lastModified);
    problems.push(...listed.problems);
  }
  if (found.size === 0 && problems.length > 0) {
    throw new DomainError("unavailable", `${options.label}: ${problems[0]}`);
  }
  const isWanted = pathMatcher(options);
  const addresses = [...found.keys()].filter((address) => isWanted(pathForGlobs(address))).sort(byCodeUnit);
  if (addresses.length > options.maxPages) {
    problems.push(`${addresses.length} pages, of which max_pages = ${options.maxPages} are read`);
  }
  const items = addresses
    .slice(0, options.maxPages)
    .map((address) => itemOf(site, address, found.get(address)));
  return { items, problems };
}

/** As people write it: without the first slash, and with what can be decoded decoded. */
function pathForGlobs(address: string): string {
  const path = new URL(address).pathname.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function itemOf(site: Site, address: string, lastModified: string | undefined): Item {
  const updatedAt = instantOf(lastModified);
  return {
    sourceId: address,
    stamp: undefined,
    ...(updatedAt !== undefined && { updatedAt }),
    async read(known) {
      try {
        const url = new URL(address);
        await site.admit(url);
        await site.rest(url.origin);
        const limits = { ...site.limits, onRedirect: site.admit };
        const page = await fetchPage(address, conditional(known, site.options), limits);
        return asReading(page, updatedAt, site.options);
      } catch (thrown) {
        site.limits.signal.throwIfAborted();
        if (thrown instanceof DomainError && ["too_large", "not_allowed"].includes(thrown.reason ?? "")) {
          return { kind: "skipped", reason: thrown.message, stamp: undefined };
        }
        return { kind: "failed", reason: reasonOf(thrown) };
      }
    },
  };
}

/** Asks for the page only if it is not the one we have. */
function conditional(known: Known | undefined, { settings }: WebOptions): Record<string, string> {
  const validators = Validators.safeParse(known && parseJson(known.stamp));
  if (!validators.success || validators.data.settings !== settings) return {};
  const { etag, modified } = validators.data;
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}

function asReading(page: Page, listed: number | undefined, options: WebOptions): Reading {
  if (page.status === 304) return { kind: "unchanged" };
  if (page.status === 404 || page.status === 410) return { kind: "gone", reason: `answers ${page.status}` };
  if (page.status !== 200) return { kind: "failed", reason: `answers ${page.status}` };
  const contentType = page.headers["content-type"] ?? "text/html";
  const format = formatOfMediaType(contentType);
  if (format === undefined)
    return { kind: "skipped", reason: `not a document: ${contentType}`, stamp: undefined };
  const { etag, "last-modified": modified } = page.headers;
  const { settings } = options;
  const changed = modified === undefined ? Number.NaN : Date.parse(modified);
  return {
    kind: "content",
    bytes: page.body,
    format,
    contentType: contentType.split(";")[0]?.trim() ?? contentType,
    mediaType: contentType,
    stamp: JSON.stringify({ ...(etag && { etag }), ...(modified && { modified }), settings }),
    sourceUrl: page.url,
    title: null,
    author: null,
    createdAt: undefined,
    updatedAt: undefined,
    guessedAt: Number.isNaN(changed) ? listed : Math.floor(changed / 1_000),
    metadata: {},
    tags: options.tags,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
