export type AttributeValue = string | number | boolean | readonly string[];

/** The unit that is found. Ids are the room's own and unique within its index. */
export interface Chunk {
  readonly id: string;
  /** Name of the symbol, or heading: weighs most. */
  readonly title: string;
  /** Doc comment, or the trail of headings above. */
  readonly doc: string;
  readonly body: string;
  /** What is embedded. Its sha256 is the key under which a vector is kept and shared. */
  readonly embedText: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}
export interface IndexedDocument {
  readonly id: string;
  /** Weighs as a field of each chunk. */
  readonly path: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly chunks: readonly Chunk[];
}

/** Every condition must hold; a chunk sees its document's attributes beneath its own. */
export interface Filter {
  readonly attribute: string;
  /** Equal to one of these, or, for a list, holding one of these. */
  readonly anyOf?: readonly (string | number | boolean)[];
  /** For a list: holding all of these. */
  readonly allOf?: readonly string[];
  readonly atLeast?: string | number;
  readonly atMost?: string | number;
  /** Decided by the room, once for each distinct value. */
  readonly where?: (value: AttributeValue | undefined) => boolean;
}
export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly filters?: readonly Filter[];
}
export interface Hit {
  readonly chunkId: string;
  readonly documentId: string;
  /** In [0, 1], comparable across queries. */
  readonly score: number;
  /** Rank in each of the two lists where it was found, from 1. */
  readonly keywordRank?: number;
  readonly vectorRank?: number;
}
