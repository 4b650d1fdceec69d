import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Parser } from "htmlparser2";
import { DomainError } from "../../../../core/errors.ts";

export interface SitemapEntry {
  readonly location: string;
  readonly lastModified: string | undefined;
}
export interface Sitemap {
  readonly pages: readonly SitemapEntry[];
  /** Further sitemaps that an index names. */
  readonly sitemaps: readonly string[];
}

/** Reads a sitemap or a sitemap index, gzipped or not. Anything else, such as an error page, is `unavailable`. */
export async function readSitemap(bytes: Uint8Array, maxBytes: number): Promise<Sitemap> {
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
  if (root !== "urlset" && root !== "sitemapindex") throw new DomainError("unavailable", "is no sitemap");
  return { pages, sitemaps };
}
