const MIN_SIZE = 64;
const MAX_SIZE = 1024;
const HASH = 0x9e3779b1;
/** Leaves as many bits of a hash as it takes to number the bits of the largest set. */
const SHIFT = 32 - Math.log2(MAX_SIZE * 8);

/**
 * Which sequences of three bytes a text has, as a set of hashes: a text without a sequence of the pattern is not read.
 * ASCII letters count in lower case. A set has a bit for each byte of its text, up to a limit; about a quarter of them are set.
 */
export function trigramSet(bytes: Uint8Array): Uint8Array {
  const set = new Uint8Array(sizeFor(bytes.length));
  const inside = set.length - 1;
  let window = 0;
  for (let at = 0; at < bytes.length; at++) {
    window = ((window << 8) | lower(bytes[at] ?? 0)) & 0xff_ff_ff;
    if (at < 2) continue;
    const place = Math.imul(window, HASH) >>> SHIFT;
    const byte = (place >>> 3) & inside;
    set[byte] = (set[byte] ?? 0) | (1 << (place & 7));
  }
  return set;
}

/** A power of two: most files are small, and sets of one size would take as much as their compressed text. */
function sizeFor(length: number): number {
  let size = MIN_SIZE;
  while (size < MAX_SIZE && size * 8 < length) size *= 2;
  return size;
}

/**
 * The bits that the largest set of any text with this one has; only of sequences that `isCertain` accepts, in lower case. In a
 * smaller set, the number of the byte counts modulo its size.
 */
export function trigramPlaces(text: string, isCertain: (trigram: string) => boolean): readonly number[] {
  const bytes = Buffer.from(text);
  const places = new Set<number>();
  for (let at = 2; at < bytes.length; at++) {
    const three = bytes.subarray(at - 2, at + 1).map(lower);
    if (!isCertain(Buffer.from(three).toString("latin1"))) continue;
    const window = ((three[0] ?? 0) << 16) | ((three[1] ?? 0) << 8) | (three[2] ?? 0);
    places.add(Math.imul(window, HASH) >>> SHIFT);
  }
  return [...places];
}

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);
