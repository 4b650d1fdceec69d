import type { Format } from "../formats/format.ts";

/** The connector types, in the order in which `all` syncs them. */
export const CONNECTOR_TYPES = ["filesystem", "git", "web", "s3", "command"] as const;
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
  /** Seconds since 1970, where listing tells it. */
  readonly updatedAt?: number;
  read(known: KnownItem | undefined, signal: AbortSignal): Promise<ItemReading>;
}

export interface Content {
  readonly kind: "content";
  readonly bytes: Uint8Array;
  readonly format: Format;
  readonly contentType: string;
  /** As the source put it, with parameters such as the encoding; else the content type says all. */
  readonly mediaType?: string;
  readonly stamp: string;
  readonly sourceUrl: string | null;
  readonly title: string | null;
  readonly author: string | null;
  /** Seconds since 1970 as the source itself records them; `undefined` where it does not. */
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  /** When the bytes last changed hands: used where neither the source nor the file tells a time. */
  readonly guessedAt?: number | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}
export type ItemReading =
  | Content
  | { readonly kind: "unchanged"; readonly stamp?: string }
  /** Not there any more: its document goes; with a reason, it is reported too. */
  | { readonly kind: "gone"; readonly reason?: string }
  /** There, but no document can be made of it: reported, and its document goes. */
  | { readonly kind: "skipped"; readonly reason: string; readonly stamp: string | undefined }
  /** Could not be fetched this time: reported, and its document stays. */
  | { readonly kind: "failed"; readonly reason: string };

export const tooLarge = (maxBytes: number, stamp: string): ItemReading => ({
  kind: "skipped",
  reason: `larger than ${maxBytes} bytes`,
  stamp,
});

export interface SourceListing {
  readonly items: readonly Item[];
  /** What kept the listing from being whole; while there is any, nothing is taken as deleted. */
  readonly problems: readonly string[];
  /** What was named and is not of this source: it is told, and the listing is whole without it. */
  readonly leftOut?: readonly string[];
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
  /** Everything there is now, in any order. Throws `unavailable` or `not_configured` where nothing can be listed. */
  list(signal: AbortSignal): Promise<SourceListing>;
  close?(): Promise<void>;
}
