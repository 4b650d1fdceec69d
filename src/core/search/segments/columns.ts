import { z } from "zod";
import { asBytes, asUint16, asUint32 } from "../postings/bytes.ts";
import type { Attributes, AttributeValue } from "../search-index.ts";

const Values = z.array(z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]));

/** One attribute of every chunk of a segment: the distinct values, and which of them each chunk has. */
export interface Column {
  readonly values: readonly (AttributeValue | undefined)[];
  readonly codes: Uint16Array | Uint32Array;
}

/** Packs each attribute that occurs. Code 0 stands for "not there". */
export function packColumns(chunks: readonly Attributes[]): Record<string, Uint8Array> {
  const names = new Set(chunks.flatMap((attributes) => Object.keys(attributes)));
  return Object.fromEntries([...names].map((name) => [name, packColumn(chunks.map((chunk) => chunk[name]))]));
}

export function packColumn(values: readonly (AttributeValue | undefined)[]): Uint8Array {
  const distinct: (AttributeValue | null)[] = [null];
  const known = new Map<string, number>();
  const codes = values.map((value) => {
    if (value === undefined) return 0;
    const key = typeof value === "string" ? `"${value}` : JSON.stringify(value);
    const code = known.get(key);
    if (code !== undefined) return code;
    known.set(key, distinct.length);
    return distinct.push(value) - 1;
  });
  const packedCodes = distinct.length < 65_536 ? Uint16Array.from(codes) : Uint32Array.from(codes);
  const dictionary = Buffer.from(JSON.stringify(distinct));
  const packed = new Uint8Array(8 + packedCodes.byteLength + dictionary.length);
  packed.set(asBytes(Uint32Array.of(packedCodes.byteLength, packedCodes.BYTES_PER_ELEMENT)));
  packed.set(asBytes(packedCodes), 8);
  packed.set(dictionary, 8 + packedCodes.byteLength);
  return packed;
}

export function unpackColumn(packed: Uint8Array): Column {
  const [size = 0, width = 2] = asUint32(packed, 0, 2);
  const dictionary = Buffer.from(packed.buffer, packed.byteOffset + 8 + size, packed.byteLength - 8 - size);
  const values = Values.parse(JSON.parse(dictionary.toString("utf8")));
  const codes = packed.slice(8, 8 + size);
  return {
    values: values.map((value) => value ?? undefined),
    codes: width === 2 ? asUint16(codes) : asUint32(codes),
  };
}
