import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Parser } from "htmlparser2";
import { DomainError } from "../../../../core/errors.ts";
import { type FetchLimits, fetchPage, reasonOf } from "../fetch-page.ts";

interface SitePages {
  /** Addresses, with the time of the last change if the sitemap has it. */
  readonly pages: ReadonlyMap<string, string | undefined>;
  /** Why pages may be missing. */
  readonly problems: readonly string[];
  /** What was listed, but belongs to another site. */
  readonly leftOut: readonly string[];
}

const MOST_SITEMAPS = 50;
export const MOST_SITEMAP_BYTES = 50 * 1024 * 1024;

/** The pages of a sitemap and of the sitemaps it names, for their own site only. */
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
      // A sitemap may only list pages of its own site, after redirects.
      origin ??= new URL(url).origin;
      const isOwn = (location: string) => originOf(location) === origin;
      pending.push(...sitemaps.filter(isOwn));
      const own = pages.filter(({ location }) => isOwn(location));
      for (const { location, lastModified } of own) found.set(plainAddress(location), lastModified);
      const foreign = sitemaps.filter((next) => !isOwn(next)).length + pages.length - own.length;
      if (foreign > 0)
        leftOut.push(
          `sitemap ${address}: ${foreign === 1 ? "1 entry is" : `${foreign} entries are`} not of ${origin}`,
        );
    } catch (thrown) {
      given.signal.throwIfAborted();
      problems.push(`sitemap ${address}: ${reasonOf(thrown)}`);
    }
  }
  if (pending.length > 0) problems.push(`more than ${MOST_SITEMAPS} sitemaps; the others are not read`);
  // No page of its own site: probably a wrong address, not an empty site.
  if (found.size === 0) return { pages: found, problems: [...problems, ...leftOut], leftOut: [] };
  return { pages: found, problems, leftOut };
}

interface SitemapEntry {
  readonly location: string;
  readonly lastModified: string | undefined;
}
interface Sitemap {
  readonly pages: readonly SitemapEntry[];
  /** Further sitemaps that an index names. */
  readonly sitemaps: readonly string[];
}

/** Reads a sitemap or a sitemap index, gzipped or not. Anything else, such as an error page, is `unavailable`. */
async function readSitemap(bytes: Uint8Array, maxBytes: number): Promise<Sitemap> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: maxBytes }) : bytes;
  const pages: SitemapEntry[] = [];
  const sitemaps: string[] = [];
  let root: string | undefined;
  let field = "";
  let entry: Record<string, string> = {};
  const parser = new Parser(
    {
      onopentag(name) {
        root ??= name;
        if (name === "url" || name === "sitemap") entry = {};
        field = name;
      },
      ontext(text) {
        entry[field] = (entry[field] ?? "") + text;
      },
      onclosetag(name) {
        field = "";
        const location = entry["loc"]?.trim();
        if (!location) return;
        if (name === "url") pages.push({ location, lastModified: entry["lastmod"]?.trim() });
        if (name === "sitemap") sitemaps.push(location);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(new TextDecoder().decode(plain));
  parser.end();
  if (root !== "urlset" && root !== "sitemapindex") throw new DomainError("unavailable", "is not a sitemap");
  return { pages, sitemaps };
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : undefined);

/** An address without fragment and credentials. */
export function plainAddress(address: string): string {
  const url = new URL(address);
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
