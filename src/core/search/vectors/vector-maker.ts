import type { ModelIdentity } from "../search-index.ts";

/** A model fast enough to be called for every chunk while it is indexed. */
export interface VectorMaker {
  readonly identity: ModelIdentity;
  /** Writes the vector of a text into an int8 row and gives its scale. */
  write(text: string, row: Int8Array): number;
}
