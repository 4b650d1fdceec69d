/** The few wire types of protocol buffers that an ONNX file needs. */
function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

export const int = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(field << 3), varint(value)]);

export function bytes(field: number, value: string | Uint8Array): Buffer {
  const content = typeof value === "string" ? Buffer.from(value, "utf8") : value;
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

export function float(field: number, value: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), content]);
}

export const message = (field: number, ...parts: readonly Buffer[]): Buffer =>
  bytes(field, Buffer.concat(parts));
