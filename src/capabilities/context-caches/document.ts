import { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import { parseJson } from "../../core/json.ts";

export const Version = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** What one file of `documents/` holds, in the order of its keys. */
export const CachedDocument = z.object({
  id: z.string(),
  version: Version,
  source: z.string(),
  content: z.string(),
  // 64-bit integers: z.int() refuses most of them.
  metadata: z.record(z.string(), z.union([z.string(), z.number().refine(Number.isInteger)])),
});
export type CachedDocument = z.infer<typeof CachedDocument>;

/** UTF-8 byte order, which differs from code-unit order above U+FFFF. */
export const byUtf8 = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

export const versionOf = (content: Uint8Array): string => `sha256:${sha256(content)}`;

/** The path of a document inside its cache. */
export const fileOf = (version: string): string => `documents/${version.slice(7, 19)}.json`;

/** The id of a source path: `/` between segments, no leading `./`, lower-cased without a locale. */
export const idOf = (source: string): string =>
  source
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .toLowerCase();

/** Decodes UTF-8 strictly and keeps a byte order mark; `undefined` if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses JSON in UTF-8; `undefined` if it is not valid. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return parseJson(decodeUtf8(bytes) ?? "");
}
