import { createHash } from "node:crypto";

/** The id git gives to content: SHA-1, or SHA-256 if the repository's ids have 64 digits. */
export function blobId(content: string | Uint8Array, idLength: number): string {
  const bytes = Buffer.from(content);
  return createHash(idLength === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}
