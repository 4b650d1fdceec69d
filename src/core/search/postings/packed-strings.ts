import { asBytes, asUint32 } from "./bytes.ts";

/** Many strings in one blob: an index of offsets, then UTF-8. Opening it makes no string; `at` makes one. */
export function packStrings(strings: readonly string[]): Uint8Array {
  const ends = new Uint32Array(strings.length + 1);
  ends[0] = strings.length;
  let end = 0;
  for (const [index, string] of strings.entries()) {
    end += Buffer.byteLength(string, "utf8");
    ends[index + 1] = end;
  }
  const packed = Buffer.from(new ArrayBuffer(ends.byteLength + end));
  packed.set(asBytes(ends));
  // One by one: half a surrogate pair at the end of a string would join with the half that begins the next.
  let at = ends.byteLength;
  for (const string of strings) at += packed.write(string, at, "utf8");
  return packed;
}

export class PackedStrings {
  readonly length: number;
  readonly #ends: Uint32Array;
  readonly #text: Buffer;

  constructor(packed: Uint8Array) {
    this.length = asUint32(packed, 0, 1)[0] ?? 0;
    this.#ends = asUint32(packed, 4, this.length);
    const from = 4 + this.length * 4;
    this.#text = Buffer.from(packed.buffer, packed.byteOffset + from, packed.byteLength - from);
  }

  at(index: number): string {
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    return this.#text.toString("utf8", start, this.#ends[index] ?? start);
  }

  all(): string[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}
