import type { Extraction } from "./format.ts";
import {
  openParts,
  type PackageParts,
  PROPERTIES,
  readProperties,
  readRelations,
  visitXml,
} from "./package-parts.ts";

const SLIDE = /^ppt\/slides\/slide(\d+)\.xml$/;
const NOTES = /^ppt\/notesSlides\/notesSlide\d+\.xml$/;
const RELATIONS = /^ppt\/slides\/_rels\/slide\d+\.xml\.rels$/;

/** The text of a presentation: each slide under its number, one line per paragraph, then its speaker notes. */
export function readPptx(bytes: Uint8Array): Extraction {
  const isWanted = (name: string) => [SLIDE, NOTES, RELATIONS].some((form) => form.test(name));
  const parts = openParts(bytes, (name) => isWanted(name) || name === PROPERTIES);
  if ("unreadable" in parts) return parts;
  const slides = [...parts.keys()]
    .map((name) => Number(SLIDE.exec(name)?.[1]))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);
  if (slides.length === 0) return { unreadable: "not a presentation" };
  const body = slides.map((number) => showSlide(parts, number)).join("\n\n");
  return { body, ...readProperties(parts) };
}

function showSlide(parts: PackageParts, number: number): string {
  const slide = `ppt/slides/slide${number}.xml`;
  const lines = paragraphs(parts, slide);
  const notes = readRelations(parts, slide)
    .filter(({ type }) => type === "notesSlide")
    .flatMap(({ target }) => paragraphs(parts, target))
    // A notes part repeats the slide's number as its last paragraph.
    .filter((line) => !/^\d+$/.test(line));
  return [`## Slide ${number}`, lines.join("\n"), ...(notes.length > 0 ? [`Notes: ${notes.join("\n")}`] : [])]
    .filter((text) => text !== "")
    .join("\n\n");
}

function paragraphs(parts: PackageParts, part: string): string[] {
  const lines: string[] = [];
  let line = "";
  let isText = false;
  visitXml(parts, part, {
    open(name) {
      if (name === "t") isText = true;
      if (name === "br") line += "\n";
    },
    text(piece) {
      if (isText) line += piece;
    },
    close(name) {
      if (name === "t") isText = false;
      if (name !== "p") return;
      if (line.trim() !== "") lines.push(line.trim());
      line = "";
    },
  });
  return lines;
}
