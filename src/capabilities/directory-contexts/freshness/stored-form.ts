import { blobId } from "../../../core/git/blob-id.ts";
import { sha256 } from "../../../core/hash.ts";

/**
 * Whether git stores this content as that blob: as it is, with the line ends it would have stored, or as the pointer that
 * Git LFS stores in its place. Worked out from the content alone, since a filter of the repository may be any program.
 */
export function isStoredAs(content: Buffer, blob: string): boolean {
  const is = (form: string | Uint8Array) => blobId(form, blob.length) === blob;
  return is(content) || (content.includes("\r\n") && is(withUnixLineEnds(content))) || is(pointerTo(content));
}

const withUnixLineEnds = (content: Buffer) =>
  Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");

/** Keys and line ends are fixed by the format, so that a content has one pointer only. */
const pointerTo = (content: Buffer) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(content)}\nsize ${content.length}\n`;
