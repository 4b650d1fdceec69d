import { isoOf } from "../timestamps.ts";
import type { Extraction } from "./format.ts";
import {
  openParts,
  type PackageParts,
  PROPERTIES,
  readProperties,
  readRelations,
  relationsPart,
  visitXml,
} from "./package-parts.ts";

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const WORKBOOK = "xl/workbook.xml";
const OTHERS = ["xl/sharedStrings.xml", "xl/styles.xml", WORKBOOK, relationsPart(WORKBOOK), PROPERTIES];
const MOST_SHEETS = 100;
const MOST_CELLS = 100_000;
/** Formats that Excel itself defines for dates and times. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The cells of a workbook: each sheet under its name, one line per row. Text, numbers, dates and booleans. */
export function readXlsx(bytes: Uint8Array): Extraction {
  const parts = openParts(bytes, (name) => SHEET.test(name) || OTHERS.includes(name));
  if ("unreadable" in parts) return parts;
  const sheets = readSheets(parts).slice(0, MOST_SHEETS);
  if (sheets.length === 0) return { unreadable: "not a workbook" };
  const shared = sharedStrings(parts);
  const dateStyles = readDateStyles(parts);
  const body = sheets.map(({ name, part }) => {
    const rows = readRows(parts, part, (type, style, raw) =>
      showCell({ type, style, raw, shared, dateStyles }),
    );
    return `## ${name}\n\n${rows.join("\n")}`.trim();
  });
  return { body: body.join("\n\n"), ...readProperties(parts) };
}

interface Sheet {
  readonly name: string;
  readonly part: string;
}

/** Sheets in workbook order; the relations say which part is which sheet. */
function readSheets(parts: PackageParts): Sheet[] {
  const targets = new Map(readRelations(parts, WORKBOOK).map(({ id, target }) => [id, target]));
  const sheets: Sheet[] = [];
  visitXml(parts, WORKBOOK, {
    open(name, attributes) {
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      const part = targets.get(id);
      // A chart is a sheet too, but without cells.
      if (name === "sheet" && part !== undefined && SHEET.test(part)) {
        sheets.push({ name: attributes["name"] ?? "", part });
      }
    },
  });
  return sheets;
}

function sharedStrings(parts: PackageParts): string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  let isPhonetic = false;
  visitXml(parts, "xl/sharedStrings.xml", {
    open(name) {
      if (name === "si") text = "";
      // Phonetic hints repeat the text in another script.
      if (name === "rPh") isPhonetic = true;
      if (name === "t") isText = !isPhonetic;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === "rPh") isPhonetic = false;
      if (name === "t") isText = false;
      if (name === "si") strings.push(text);
    },
  });
  return strings;
}

/** The indices of cell styles that show a number as a date. */
function readDateStyles(parts: PackageParts): ReadonlySet<number> {
  const dateFormats = new Set(BUILT_IN_DATES);
  const dateStyles = new Set<number>();
  let isCellStyles = false;
  let index = 0;
  visitXml(parts, "xl/styles.xml", {
    open(name, attributes) {
      const code = (attributes["formatCode"] ?? "").replace(/"[^"]*"|\[[^\]]*\]|\\./g, "");
      if (name === "numFmt" && /[ymdh]/i.test(code)) dateFormats.add(Number(attributes["numFmtId"]));
      if (name === "cellXfs") isCellStyles = true;
      if (name !== "xf" || !isCellStyles) return;
      if (dateFormats.has(Number(attributes["numFmtId"]))) dateStyles.add(index);
      index += 1;
    },
    close(name) {
      if (name === "cellXfs") isCellStyles = false;
    },
  });
  return dateStyles;
}

function readRows(
  parts: PackageParts,
  part: string,
  show: (type: string, style: number, raw: string) => string,
): string[] {
  const rows: string[] = [];
  let row: string[] = [];
  let cell = { type: "", style: 0, raw: "" };
  let isValue = false;
  let isPhonetic = false;
  let cells = 0;
  visitXml(parts, part, {
    open(name, attributes) {
      if (name === "c") {
        cell = { type: attributes["t"] ?? "n", style: Number(attributes["s"] ?? 0), raw: "" };
        // Empty cells are not in the file; the others keep their columns.
        const column = columnOf(attributes["r"]) ?? row.length;
        for (; row.length < column && cells < MOST_CELLS; cells += 1) row.push("");
      }
      if (name === "rPh") isPhonetic = true;
      if (name === "v" || name === "t") isValue = !isPhonetic;
    },
    text(piece) {
      if (isValue) cell.raw += piece;
    },
    close(name) {
      if (name === "rPh") isPhonetic = false;
      if (name === "v" || name === "t") isValue = false;
      if (name === "c" && ++cells <= MOST_CELLS) row.push(show(cell.type, cell.style, cell.raw));
      if (name !== "row") return;
      if (row.some((value) => value !== "")) rows.push(row.join(" | "));
      row = [];
    },
  });
  return rows;
}

/** The column of `C7` is 2, counted from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function showCell({
  type,
  style,
  raw,
  shared,
  dateStyles,
}: {
  type: string;
  style: number;
  raw: string;
  shared: readonly string[];
  dateStyles: ReadonlySet<number>;
}): string {
  if (type === "s") return (shared[Number(raw)] ?? "").trim();
  if (type === "b") return raw === "1" ? "TRUE" : "FALSE";
  if (type === "n" && raw !== "" && dateStyles.has(style)) return showDate(Number(raw));
  return raw.trim();
}

/** Excel counts days from 30 December 1899. */
function showDate(days: number): string {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_465) return String(days);
  const iso = isoOf(Math.round((days - 25_569) * 86_400));
  return days % 1 === 0 ? iso.slice(0, 10) : iso;
}
