import type { Extraction } from "./format.ts";
import { tidy } from "./html.ts";
import { openParts, PROPERTIES, readProperties, visitXml } from "./package-parts.ts";

const DOCUMENT = "word/document.xml";
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];

/** The text of a Word file: one line per paragraph, headings marked, table rows with bars. */
export function readDocx(bytes: Uint8Array): Extraction {
  const parts = openParts(bytes, (name) => [DOCUMENT, PROPERTIES, ...NOTES].includes(name));
  if ("unreadable" in parts) return parts;
  if (!parts.has(DOCUMENT)) return { unreadable: "not a Word file" };
  const body = [DOCUMENT, ...NOTES].map((name) => readParagraphs(parts, name)).filter((text) => text !== "");
  return { body: body.join("\n\n"), ...readProperties(parts) };
}

function readParagraphs(parts: Parameters<typeof visitXml>[0], part: string): string {
  let text = "";
  let paragraph = "";
  let heading = 0;
  let isText = false;
  let cells = 0;
  visitXml(parts, part, {
    open(name, attributes) {
      if (name === "t") isText = true;
      if (name === "tab") paragraph += "\t";
      if (name === "br" || name === "cr") paragraph += "\n";
      if (name === "pStyle") heading = headingLevel(attributes["w:val"] ?? "");
      if (name === "tc") cells += 1;
    },
    text(piece) {
      if (isText) paragraph += piece;
    },
    close(name) {
      if (name === "t") isText = false;
      if (name === "p") {
        const line = paragraph.trim();
        const mark = heading > 0 && line !== "" ? `${"#".repeat(heading)} ` : "";
        text += cells > 0 ? `${line} ` : `${mark}${line}\n\n`;
        paragraph = "";
        heading = 0;
      }
      if (name === "tc") {
        cells -= 1;
        text += "| ";
      }
      if (name === "tr") text = `${text.replace(/\|\s*$/, "").trimEnd()}\n`;
      if (name === "tbl") text += "\n";
    },
  });
  return tidy(text);
}

/** Styles are named `Heading1` or `heading 2`; in other languages they also end in the level. `Title` is level 1. */
function headingLevel(style: string): number {
  if (/^title$/i.test(style)) return 1;
  const level = /^(?:heading|berschrift|titre|t[ií]tulo|rubrik|kop|otsikko)\s?([1-6])$/i.exec(style)?.[1];
  return level === undefined ? 0 : Number(level);
}
