import { DomainError } from "../../../../core/errors.ts";
import { type FetchLimits, fetchPage, reasonOf } from "../fetch-page.ts";
import { readSitemap } from "./sitemap.ts";

export interface SitePages {
  /** Addresses, with the time of the last change where the sitemap tells it. */
  readonly pages: ReadonlyMap<string, string | undefined>;
  /** What kept them from being all. */
  readonly problems: readonly string[];
  /** What was listed and is not of this site. */
  readonly leftOut: readonly string[];
}

const MOST_SITEMAPS = 50;
export const MOST_SITEMAP_BYTES = 50 * 1024 * 1024;

/** The pages that a sitemap, and those it names, list for their own site. */
export async function readSitemaps(first: string, given: FetchLimits): Promise<SitePages> {
  const limits = { ...given, maxBytes: MOST_SITEMAP_BYTES };
  const found = new Map<string, string | undefined>();
  const problems: string[] = [];
  const leftOut: string[] = [];
  const pending = [first];
  let origin: string | undefined;
  for (let read = 0; read < MOST_SITEMAPS; read += 1) {
    const address = pending.shift();
    if (address === undefined) break;
    try {
      const { status, body, url } = await fetchPage(address, {}, limits);
      if (status !== 200) throw new DomainError("unavailable", `answers ${status}`);
      const { pages, sitemaps } = await readSitemap(body, MOST_SITEMAP_BYTES);
      // A sitemap speaks for its own site only: for the one that it was found on in the end.
      origin ??= new URL(url).origin;
      const isOwn = (location: string) => originOf(location) === origin;
      pending.push(...sitemaps.filter(isOwn));
      const own = pages.filter(({ location }) => isOwn(location));
      for (const { location, lastModified } of own) found.set(plainAddress(location), lastModified);
      const foreign = sitemaps.filter((next) => !isOwn(next)).length + pages.length - own.length;
      if (foreign > 0) leftOut.push(`sitemap ${address}: ${foreign} entries are not of ${origin}`);
    } catch (thrown) {
      given.signal.throwIfAborted();
      problems.push(`sitemap ${address}: ${reasonOf(thrown)}`);
    }
  }
  if (pending.length > 0) problems.push(`more than ${MOST_SITEMAPS} sitemaps; the others are not read`);
  // A sitemap without one page of its own site is rather the wrong address than a site without pages.
  if (found.size === 0) return { pages: found, problems: [...problems, ...leftOut], leftOut: [] };
  return { pages: found, problems, leftOut };
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : undefined);

/** As an address is known: without what is not sent, or only for the server. */
export function plainAddress(address: string): string {
  const url = new URL(address);
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
