import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { formatOfMediaType } from "../formats/format.ts";
import { instantOf } from "../timestamps.ts";
import type { Connector, Item, Known, Listing, Reading } from "./connector.ts";
import { type FetchLimits, fetchPage, type Page } from "./fetch-page.ts";
import { pathMatcher } from "./path-matcher.ts";
import { openRobots, type Robots } from "./robots.ts";
import { readSitemap } from "./sitemap.ts";

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
}

const MOST_SITEMAPS = 50;
const MOST_SITEMAP_BYTES = 50 * 1024 * 1024;
const Validators = z.object({ etag: z.string().optional(), modified: z.string().optional() });

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
  readonly robots: Robots;
  /** Waits as long as the site wants between two requests. */
  rest(origin: string): Promise<void>;
}

function openSite(options: WebOptions, limits: FetchLimits): Site {
  const robots = openRobots(limits);
  let isFirst = true;
  return {
    options,
    limits,
    robots,
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
  if (options.sitemap !== undefined) await addSitemap(site, options.sitemap, found, problems);
  if (found.size === 0 && problems.length > 0) {
    throw new DomainError("unavailable", `${options.label}: ${problems[0]}`);
  }
  const isWanted = pathMatcher(options);
  const addresses = [...found.keys()]
    .filter((address) => isWanted(pathForGlobs(address)))
    .sort(byCodeUnit)
    .slice(0, options.maxPages);
  return { items: addresses.map((address) => itemOf(site, address, found.get(address))), problems };
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

async function addSitemap(
  site: Site,
  first: string,
  found: Map<string, string | undefined>,
  problems: string[],
): Promise<void> {
  const { origin } = new URL(first);
  const pending = [first];
  for (let read = 0; read < MOST_SITEMAPS; read += 1) {
    const address = pending.shift();
    if (address === undefined) return;
    try {
      const limits = { ...site.limits, maxBytes: MOST_SITEMAP_BYTES };
      const { status, body } = await fetchPage(address, {}, limits);
      if (status !== 200) throw new DomainError("unavailable", `answers ${status}`);
      const { pages, sitemaps } = await readSitemap(body, MOST_SITEMAP_BYTES);
      // A sitemap speaks for its own site only.
      pending.push(...sitemaps.filter((next) => originOf(next) === origin));
      for (const { location, lastModified } of pages) {
        if (originOf(location) === origin) found.set(withoutFragment(location), lastModified);
      }
    } catch (thrown) {
      site.limits.signal.throwIfAborted();
      problems.push(`sitemap ${address}: ${reasonOf(thrown)}`);
    }
  }
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : undefined);
const withoutFragment = (address: string) => {
  const url = new URL(address);
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
};

function itemOf(site: Site, address: string, lastModified: string | undefined): Item {
  const updatedAt = instantOf(lastModified);
  return {
    sourceId: address,
    stamp: undefined,
    ...(updatedAt !== undefined && { updatedAt }),
    async read(known) {
      try {
        if (!(await site.robots.isAllowed(address))) {
          return { kind: "skipped", reason: "robots.txt does not allow it", stamp: undefined };
        }
        await site.rest(new URL(address).origin);
        return asReading(await fetchPage(address, conditional(known), site.limits), updatedAt, site.options);
      } catch (thrown) {
        site.limits.signal.throwIfAborted();
        if (thrown instanceof DomainError && thrown.reason === "too_large") {
          return { kind: "skipped", reason: thrown.message, stamp: undefined };
        }
        return { kind: "failed", reason: reasonOf(thrown) };
      }
    },
  };
}

/** Asks for the page only if it is not the one we have. */
function conditional(known: Known | undefined): Record<string, string> {
  const validators = Validators.safeParse(known ? parseJson(known.stamp) : {});
  if (!validators.success) return {};
  const { etag, modified } = validators.data;
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}

function asReading(page: Page, listed: number | undefined, options: WebOptions): Reading {
  if (page.status === 304) return { kind: "unchanged" };
  if (page.status === 404 || page.status === 410) return { kind: "gone" };
  if (page.status !== 200) return { kind: "failed", reason: `answers ${page.status}` };
  const contentType = page.headers["content-type"] ?? "text/html";
  const format = formatOfMediaType(contentType);
  if (format === undefined)
    return { kind: "skipped", reason: `not a document: ${contentType}`, stamp: undefined };
  const { etag, "last-modified": modified } = page.headers;
  const changed = modified === undefined ? Number.NaN : Date.parse(modified);
  return {
    kind: "content",
    bytes: page.body,
    format,
    contentType: contentType.split(";")[0]?.trim() ?? contentType,
    stamp: JSON.stringify({ ...(etag && { etag }), ...(modified && { modified }) }),
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

export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "failed";
  if (thrown.name === "TimeoutError" || thrown.name === "AbortError") return "did not answer in time";
  return thrown.message.slice(0, 200) || ("code" in thrown ? String(thrown.code) : thrown.name);
}
