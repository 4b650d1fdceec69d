import type { Extraction } from "./format.ts";

const MOST_PAGES = 5_000;

/** The text of a PDF, page by page. Scanned pages have no text; a file with only such pages is reported. */
export async function readPdf(bytes: Uint8Array): Promise<Extraction> {
  const { getDocumentProxy, getMeta } = await import("unpdf");
  try {
    // pdf.js takes ownership of the buffer, so it gets a copy. Scripts and fonts of the file are never evaluated.
    const document = await getDocumentProxy(bytes.slice(), { verbosity: 0, isEvalSupported: false });
    try {
      const pages: string[] = [];
      for (let page = 1; page <= Math.min(document.numPages, MOST_PAGES); page += 1) {
        pages.push(await pageText(await document.getPage(page)));
      }
      const body = pages.filter((text) => text !== "").join("\n\n");
      if (body === "") return { unreadable: "a PDF without text, perhaps scanned pages" };
      const { info } = await getMeta(document).catch(() => ({ info: {} }));
      const author = textIn(info, "Author");
      const title = textIn(info, "Title");
      return { body, ...(author && { author }), ...(isTitle(title) && { title }) };
    } finally {
      await document.destroy();
    }
  } catch (thrown) {
    return { unreadable: `not a readable PDF: ${thrown instanceof Error ? thrown.message : "broken"}` };
  }
}

const textIn = (info: object, key: string): string => {
  const value: unknown = Object.entries(info).find(([name]) => name === key)?.[1];
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
};

/** Many programs write the name of the file they printed, or nothing that says anything. */
const isTitle = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  text.length <= 300 &&
  !/^(untitled|microsoft (word|powerpoint|excel) - .*|(document|presentation|slide) ?\d*)$/i.test(text) &&
  !/^\S+\.(docx?|pptx?|xlsx?|pdf|tex|dvi|indd|odt|html?)$/i.test(text);

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly object[] }>;
  cleanup(): unknown;
}

async function pageText(page: PdfPage): Promise<string> {
  const { items } = await page.getTextContent();
  page.cleanup();
  let text = "";
  for (const item of items) {
    if (!("str" in item) || typeof item.str !== "string") continue;
    text += item.str;
    if ("hasEOL" in item && item.hasEOL === true) text += "\n";
  }
  return text.replace(/[^\S\n]+\n/g, "\n").trim();
}
