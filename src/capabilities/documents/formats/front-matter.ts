import { parse } from "yaml";
import { instantOf } from "../timestamps.ts";
import type { Extracted } from "./format.ts";

/** A longer block is not front matter, but a document that begins with a rule. */
const MOST = 64_000;
const CREATED = ["created", "created_at", "date", "published"];
const UPDATED = ["updated", "updated_at", "last_updated", "lastmod", "modified"];

const BLOCK = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** The text after its front matter. A block that is not a YAML mapping is normal text and stays. */
export function withoutFrontMatter(text: string): string {
  const block = text.startsWith("---") ? BLOCK.exec(text.slice(0, MOST)) : null;
  if (block === null || parseTable(block[1] ?? "") === undefined) return text;
  return text.slice(block[0].length).trimStart();
}

/** Reads title, author, tags and dates from the YAML block at the start of a text; other keys become metadata. */
export function readFrontMatter(text: string): Omit<Extracted, "body"> {
  const block = BLOCK.exec(text.slice(0, MOST))?.[1];
  const table = block === undefined ? undefined : parseTable(block);
  if (table === undefined) return {};
  const title = textOf(table["title"]);
  const author = textOf(table["author"]) ?? listOf(table["authors"]).join(", ");
  const createdAt = firstInstant(table, CREATED);
  const updatedAt = firstInstant(table, UPDATED);
  const tags = [...listOf(table["tags"]), ...listOf(table["keywords"])];
  return {
    metadata: table,
    ...(title && { title }),
    ...(author && { author }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(tags.length > 0 && { tags }),
  };
}

/** A block that is not a YAML mapping is normal text. */
function parseTable(block: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = parse(block, { maxAliasCount: 20, logLevel: "error" });
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    // Through JSON: dates become text, and no key can reach a prototype.
    const plain: unknown = JSON.parse(JSON.stringify(parsed));
    return Object.fromEntries(Object.entries(plain ?? {}).filter(([key]) => key !== "__proto__"));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** A list, or a comma-separated text. */
export function listOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return parts.map((part: unknown) => textOf(part)).filter((part) => part !== undefined);
}

const firstInstant = (table: Readonly<Record<string, unknown>>, keys: readonly string[]) =>
  keys.map((key) => instantOf(table[key])).find((instant) => instant !== undefined);
