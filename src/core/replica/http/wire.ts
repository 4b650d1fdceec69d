/** Names the manifests whose blocks a caller is about, so that a server knows which it may tell of. */
export const MANIFESTS_HEADER = "contextful-manifests";

const HASH_BYTES = 32;
const HEAD_BYTES = HASH_BYTES + 4;

/** Each block: its hash, its length in four bytes, and its packed bytes. */
export function encodeBlocks(blocks: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const parts = [...blocks].flatMap(([hash, packed]) => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.write(hash, "hex");
    head.writeUInt32BE(packed.length, HASH_BYTES);
    return [head, packed];
  });
  return Uint8Array.from(Buffer.concat(parts));
}

/** `undefined` if the bytes have another form. */
export function decodeBlocks(bytes: Uint8Array): Map<string, Uint8Array> | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = new Map<string, Uint8Array>();
  for (let at = 0; at < buffer.length; ) {
    if (at + HEAD_BYTES > buffer.length) return undefined;
    const end = at + HEAD_BYTES + buffer.readUInt32BE(at + HASH_BYTES);
    if (end > buffer.length) return undefined;
    blocks.set(buffer.toString("hex", at, at + HASH_BYTES), buffer.subarray(at + HEAD_BYTES, end));
    at = end;
  }
  return blocks;
}
