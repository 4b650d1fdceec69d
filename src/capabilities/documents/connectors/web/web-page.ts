import { z } from "zod";
import { DomainError } from "../../../../core/errors.ts";
import { parseJson } from "../../../../core/json.ts";
import { formatOfMediaType } from "../../formats/format.ts";
import { instantOf } from "../../timestamps.ts";
import type { Item, ItemReading, KnownItem } from "../connector.ts";
import { type FetchedPage, fetchPage, reasonOf } from "../fetch-page.ts";
import type { Site, SiteOptions } from "./web-site.ts";

/** Cache validators of a page, for conditional requests; stored as the stamp of its item. */
const Validators = z.object({
  etag: z.string().optional(),
  modified: z.string().optional(),
  settings: z.string(),
});

/** A page as an item: requested as its site allows, and only if it has changed. */
export function pageItem(site: Site, address: string, lastModified: string | undefined): Item {
  const updatedAt = instantOf(lastModified);
  return {
    sourceId: address,
    stamp: undefined,
    ...(updatedAt !== undefined && { updatedAt }),
    async read(known) {
      try {
        const url = new URL(address);
        await site.requireAllowed(url);
        await site.waitForTurn(url.origin);
        const limits = { ...site.limits, onRedirect: site.requireAllowed };
        const page = await fetchPage(address, conditionalHeaders(known, site.options), limits);
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

function conditionalHeaders(known: KnownItem | undefined, { settings }: SiteOptions): Record<string, string> {
  const validators = Validators.safeParse(known && parseJson(known.stamp));
  if (!validators.success || validators.data.settings !== settings) return {};
  const { etag, modified } = validators.data;
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}

function asReading(page: FetchedPage, listed: number | undefined, options: SiteOptions): ItemReading {
  if (page.status === 304) return { kind: "unchanged" };
  if (page.status === 404 || page.status === 410) return { kind: "gone", reason: `answers ${page.status}` };
  if (page.status !== 200) return { kind: "failed", reason: `answers ${page.status}` };
  const contentType = page.headers["content-type"] ?? "text/html";
  const format = formatOfMediaType(contentType);
  if (format === undefined) {
    return { kind: "skipped", reason: `not a document: ${contentType}`, stamp: undefined };
  }
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
