import { z } from "zod";
import { sha256 } from "../../core/hash.ts";

export const Version = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** What one file of `documents/` holds, in the order of its keys. */
export const CachedDocument = z.object({
  id: z.string(),
  version: Version,
  source: z.string(),
  content: z.string(),
  // Whole numbers of 64 bits: most of them are beyond what z.int() takes.
  metadata: z.record(z.string(), z.union([z.string(), z.number().refine(Number.isInteger)])),
});
export type CachedDocument = z.infer<typeof CachedDocument>;

/** UTF-8 byte order, which differs from code-unit order above U+FFFF. */
export const byUtf8 = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

export const versionOf = (content: Uint8Array): string => `sha256:${sha256(content)}`;

/** Where a document of this version lies inside its cache. */
export const fileOf = (version: string): string => `documents/${version.slice(7, 19)}.json`;

/** The id of a source path: `/` between segments, no leading `./`, lower-cased by Unicode's rules and no locale's. */
export const idOf = (source: string): string =>
  source
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .toLowerCase();

/** Reads UTF-8 strictly and keeps a byte order mark; `undefined` where the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The JSON value in UTF-8 bytes; `undefined` where they are neither. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
