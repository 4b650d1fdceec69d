const SIZE = 1024;
const HASH = 0x9e3779b1;
/** Leaves as many bits of a hash as it takes to number the bits of a set. */
const SHIFT = 32 - Math.log2(SIZE * 8);

/**
 * Which sequences of three bytes a text has, as a set of hashes: a text without a sequence of the pattern is not read.
 * ASCII letters count in lower case. Sixteen thousand bytes of code set about a quarter of the bits.
 */
export function trigramSet(bytes: Uint8Array): Uint8Array {
  const set = new Uint8Array(SIZE);
  let window = 0;
  for (let at = 0; at < bytes.length; at++) {
    window = ((window << 8) | lower(bytes[at] ?? 0)) & 0xff_ff_ff;
    if (at < 2) continue;
    const place = Math.imul(window, HASH) >>> SHIFT;
    set[place >>> 3] = (set[place >>> 3] ?? 0) | (1 << (place & 7));
  }
  return set;
}

/** The bits that the set of any text with this one has; only of sequences that `isCertain` accepts, in lower case. */
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
