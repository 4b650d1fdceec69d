import type { Format } from "../formats/format.ts";

/** The connector types, in the order in which `all` syncs them. */
export const CONNECTOR_TYPES = [
  "filesystem",
  "git",
  "commits",
  "packages",
  "web",
  "github",
  "gitlab",
  "s3",
  "command",
] as const;
export type ConnectorType = (typeof CONNECTOR_TYPES)[number];

/** What was stored of an item at the last sync. */
export interface KnownItem {
  readonly stamp: string;
}

/** One thing that may become a document. Listing is cheap; only `read` brings the content. */
export interface Item {
  /** Unique within its source: a path, a key, an address. */
  readonly sourceId: string;
  /** Equal stamps mean equal content. `undefined`: only reading can tell. */
  readonly stamp: string | undefined;
  /** Seconds since 1970, if the listing has it. */
  readonly updatedAt?: number;
  /** Items of one group are stored in one batch, which another project with the same group can reuse. */
  readonly group?: string;
  read(known: KnownItem | undefined, signal: AbortSignal): Promise<ItemReading>;
}

export interface Content {
  readonly kind: "content";
  readonly bytes: Uint8Array;
  readonly format: Format;
  readonly contentType: string;
  /** For the format `api`: the language is known by it. */
  readonly path?: string;
  /** As the source gave it, with parameters such as the encoding. Default: the content type. */
  readonly mediaType?: string;
  readonly stamp: string;
  readonly sourceUrl: string | null;
  readonly title: string | null;
  readonly author: string | null;
  /** Seconds since 1970, if the source records them. */
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  /** A fallback, for example the time of the file on disk, if neither the source nor the file has a time. */
  readonly guessedAt?: number | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}
export type ItemReading =
  | Content
  | { readonly kind: "unchanged"; readonly stamp?: string }
  /** Deleted at the source: its document is removed; a reason is reported. */
  | { readonly kind: "gone"; readonly reason?: string }
  /** Not usable as a document: reported, and its document is removed. */
  | { readonly kind: "skipped"; readonly reason: string; readonly stamp: string | undefined }
  /** Not readable this time: reported, and its document stays. */
  | { readonly kind: "failed"; readonly reason: string };

export const tooLarge = (maxBytes: number, stamp: string): ItemReading => ({
  kind: "skipped",
  reason: `larger than ${maxBytes} bytes`,
  stamp,
});

export interface SourceListing {
  readonly items: readonly Item[];
  /** Why the listing is incomplete; with any problem, nothing counts as deleted. */
  readonly problems: readonly string[];
  /** Named by the source, but not part of it: reported; the listing is still complete. */
  readonly leftOut?: readonly string[];
  /** Lists only what changed since `readAt`: what is not listed is not deleted. */
  readonly isPartial?: boolean;
}

/** What a source is asked for. Most sources list everything and need none of it. */
export interface ListRequest {
  /** What is stored, by source id. */
  readonly known: ReadonlyMap<string, KnownItem>;
  /** Seconds since 1970: when the source was last read completely; `undefined` if everything is to be read. */
  readonly readAt: number | undefined;
  /** If given, only these topics are wanted besides what is stored. */
  readonly topics?: readonly string[] | undefined;
}

export interface Health {
  readonly healthy: boolean;
  readonly notes: string;
}

/** One configured source of documents. */
export interface Connector {
  /** `type:name`; the `source` of its documents. */
  readonly label: string;
  readonly type: ConnectorType;
  /** How many items may be read at once. */
  readonly parallel: number;
  /** Reachable now? Never throws. */
  check(signal: AbortSignal): Promise<Health>;
  /** All items, in any order. Throws `unavailable` or `not_configured` if nothing can be listed. */
  list(signal: AbortSignal, request: ListRequest): Promise<SourceListing>;
}
