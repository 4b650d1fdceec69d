import type { ModelIdentity } from "../search-index.ts";

/** Turns texts into vectors of one model. Every embedder passes the same suite. */
export interface Embedder {
  readonly identity: ModelIdentity;
  /** How many texts to hand over at once. */
  readonly batchSize: number;
  /** One vector of `identity.dims` components for each text, in order. Throws `unavailable` where it cannot. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The same of one text for somebody who waits, where `embed` would be patient with a server that is down. */
  embedAtOnce?(text: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
  close(): Promise<void>;
}
