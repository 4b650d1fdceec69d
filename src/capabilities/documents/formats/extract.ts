import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import { readApi } from "./api.ts";
import { readDocx } from "./docx.ts";
import type { Extraction, Format } from "./format.ts";
import { readHtml } from "./html.ts";
import { readNotebook } from "./notebook.ts";
import { readPdf } from "./pdf.ts";
import { readPptx } from "./pptx.ts";
import { readMarkdown, readRst, readText } from "./text.ts";
import { readXlsx } from "./xlsx.ts";

export interface ExtractRequest {
  readonly format: Format;
  readonly bytes: Uint8Array;
  readonly mediaType?: string;
  /** The language of source code is known by it. */
  readonly path?: string;
}

/** More text than this from one file is data, not a document. */
const MOST_CHARACTERS = 50_000_000;

const READERS = {
  text: readText,
  markdown: readMarkdown,
  rst: readRst,
  html: readHtml,
  pdf: readPdf,
  docx: readDocx,
  pptx: readPptx,
  xlsx: readXlsx,
  notebook: readNotebook,
  api: readApi,
} as const satisfies Record<
  Format,
  (bytes: Uint8Array, mediaType?: string, path?: string) => Extraction | Promise<Extraction>
>;

/** Secrets and invisible characters never reach the store. */
export const cleanText = (text: string): string => redactSecrets(stripInvisible(text).text).text;

/** The clean text of a file. An unreadable file is a value; the content never makes it throw. */
export async function extract({ format, bytes, mediaType, path }: ExtractRequest): Promise<Extraction> {
  try {
    const extraction = await READERS[format](bytes, mediaType, path);
    if ("unreadable" in extraction) return extraction;
    if (extraction.body.length > MOST_CHARACTERS) return { unreadable: "more text than a document holds" };
    // Cleaned here, because a large text is cleaned in the thread that reads it.
    return { ...extraction, body: cleanText(extraction.body) };
  } catch (thrown) {
    return { unreadable: `broken: ${thrown instanceof Error ? thrown.message : "unknown"}`.slice(0, 200) };
  }
}
