import { readDocx } from "./docx.ts";
import type { Extraction, Format } from "./format.ts";
import { readHtml } from "./html.ts";
import { readNotebook } from "./notebook.ts";
import { readPdf } from "./pdf.ts";
import { readPptx } from "./pptx.ts";
import { readMarkdown, readText } from "./text.ts";
import { readXlsx } from "./xlsx.ts";

export interface ExtractRequest {
  readonly format: Format;
  readonly bytes: Uint8Array;
  readonly mediaType?: string;
}

/** More text than this from one file is data, not a document. */
const MOST_CHARACTERS = 50_000_000;

const READERS = {
  text: readText,
  markdown: readMarkdown,
  html: readHtml,
  pdf: readPdf,
  docx: readDocx,
  pptx: readPptx,
  xlsx: readXlsx,
  notebook: readNotebook,
} as const satisfies Record<
  Format,
  (bytes: Uint8Array, mediaType?: string) => Extraction | Promise<Extraction>
>;

/** The text of a file. An unreadable file is a value; the content never makes it throw. */
export async function extract({ format, bytes, mediaType }: ExtractRequest): Promise<Extraction> {
  try {
    const extraction = await READERS[format](bytes, mediaType);
    if ("unreadable" in extraction || extraction.body.length <= MOST_CHARACTERS) return extraction;
    return { unreadable: "more text than a document holds" };
  } catch (thrown) {
    return { unreadable: `broken: ${thrown instanceof Error ? thrown.message : "unknown"}`.slice(0, 200) };
  }
}
