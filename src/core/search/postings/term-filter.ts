/** Odd factors without a pattern in their bits: each spreads the same hash in its own way. */
const SPREADS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35];

/**
 * Which terms a segment may have, in a byte for each (a Bloom filter): of the terms it lacks, 97 in 100 are known without
 * reading a row of the database.
 */
export function filterOf(hashes: Uint32Array): Uint8Array {
  const filter = new Uint8Array(hashes.length);
  for (const hash of hashes) {
    for (const spread of SPREADS) {
      const bit = bitOf(filter, hash, spread);
      filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return filter;
}

export function mayHold(filter: Uint8Array, hash: number): boolean {
  for (const spread of SPREADS) {
    const bit = bitOf(filter, hash, spread);
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** By the upper bits of the product, which depend on all of the hash. */
const bitOf = (filter: Uint8Array, hash: number, spread: number): number =>
  Math.floor(((Math.imul(hash, spread) >>> 0) / 2 ** 32) * filter.length * 8);
