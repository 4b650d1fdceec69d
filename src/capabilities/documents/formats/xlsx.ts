import { isoOf } from "../timestamps.ts";
import type { Extraction } from "./format.ts";
import { openParts, type Parts, PROPERTIES, readProperties, visitXml } from "./package-parts.ts";

const SHEET = /^xl\/worksheets\/sheet(\d+)\.xml$/;
const OTHERS = ["xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml", PROPERTIES];
const MOST_SHEETS = 100;
const MOST_CELLS = 100_000;
/** Formats that Excel itself defines for dates and times. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The cells of a workbook: each sheet under its name, a line for each row. Shared and inline text, numbers, dates, booleans. */
export function readXlsx(bytes: Uint8Array): Extraction {
  const parts = openParts(bytes, (name) => SHEET.test(name) || OTHERS.includes(name));
  if ("unreadable" in parts) return parts;
  const sheets = [...parts.keys()]
    .map((name) => Number(SHEET.exec(name)?.[1]))
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
    .slice(0, MOST_SHEETS);
  if (sheets.length === 0) return { unreadable: "not a workbook" };
  const names = sheetNames(parts);
  const shared = sharedStrings(parts);
  const dateStyles = readDateStyles(parts);
  const body = sheets.map((number, index) => {
    const rows = readRows(parts, number, (type, style, raw) =>
      showCell({ type, style, raw, shared, dateStyles }),
    );
    return `## ${names[index] ?? `Sheet ${number}`}\n\n${rows.join("\n")}`.trim();
  });
  return { body: body.join("\n\n"), ...readProperties(parts) };
}

function sheetNames(parts: Parts): string[] {
  const names: string[] = [];
  visitXml(parts, "xl/workbook.xml", {
    open: (name, attributes) => {
      if (name === "sheet") names.push(attributes["name"] ?? "");
    },
  });
  return names;
}

function sharedStrings(parts: Parts): string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  visitXml(parts, "xl/sharedStrings.xml", {
    open(name) {
      if (name === "si") text = "";
      // Phonetic hints (rPh) repeat the text in another script.
      isText = name === "t" || (isText && name !== "rPh");
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === "t") isText = false;
      if (name === "si") strings.push(text);
    },
  });
  return strings;
}

/** The indices of cell styles that show a number as a date. */
function readDateStyles(parts: Parts): ReadonlySet<number> {
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
  parts: Parts,
  sheet: number,
  show: (type: string, style: number, raw: string) => string,
): string[] {
  const rows: string[] = [];
  let row: string[] = [];
  let cell = { type: "", style: 0, raw: "" };
  let isValue = false;
  let cells = 0;
  visitXml(parts, `xl/worksheets/sheet${sheet}.xml`, {
    open(name, attributes) {
      if (name === "c") cell = { type: attributes["t"] ?? "n", style: Number(attributes["s"] ?? 0), raw: "" };
      if (name === "v" || name === "t") isValue = true;
    },
    text(piece) {
      if (isValue) cell.raw += piece;
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      if (name === "c" && ++cells <= MOST_CELLS) row.push(show(cell.type, cell.style, cell.raw));
      if (name !== "row") return;
      if (row.some((value) => value !== "")) rows.push(row.join(" | "));
      row = [];
    },
  });
  return rows;
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
