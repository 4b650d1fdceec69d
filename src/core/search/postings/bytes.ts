const FIRST_CAPACITY = 1 << 16;
const encoder = new TextEncoder();

/** A growing row of bytes with numbers of variable length, the packed form of everything here. */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  number(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** The length of a text in UTF-8, then the text. Nearly all are ASCII, which needs no encoder. */
  text(value: string): void {
    const length = value.length;
    this.#reserve(5 + length);
    const start = this.#length;
    this.number(length);
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at);
      if (code > 127) {
        this.#length = start;
        const encoded = encoder.encode(value);
        this.number(encoded.length);
        this.bytes(encoded);
        return;
      }
      this.#bytes[this.#length++] = code;
    }
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** What was written, in a buffer of its own. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** What was written, to be read before the next write. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  }

  bytes(count: number): Uint8Array {
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }
}

/** Blobs come from SQLite at any alignment; numbers wider than a byte need theirs. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}
export const asBytes = (values: ArrayBufferView): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

export function asUint32(bytes: Uint8Array, at = 0, count = (bytes.byteLength - at) >> 2): Uint32Array {
  const own = aligned(bytes);
  return new Uint32Array(own.buffer, own.byteOffset + at, count);
}
export function asUint16(bytes: Uint8Array): Uint16Array {
  const own = aligned(bytes);
  return new Uint16Array(own.buffer, own.byteOffset, own.byteLength >> 1);
}
export function asFloat32(bytes: Uint8Array): Float32Array {
  const own = aligned(bytes);
  return new Float32Array(own.buffer, own.byteOffset, own.byteLength >> 2);
}
