import type { CodeSymbol } from "../prepare/chunk.ts";
import { directoryOf } from "../scan/import-paths.ts";
import type { ExplainedSearchHit, HitExplanation, SearchHit } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import type { StoredChunk } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import { readFile, type StoredFile } from "../store/stored-files.ts";
import { fileOfChunk } from "../store/tables.ts";

export interface ScoredChunk {
  readonly chunk: StoredChunk;
  readonly score: number;
  readonly explanation?: HitExplanation;
}
export interface FoundHit {
  readonly hit: ExplainedSearchHit;
  readonly file: StoredFile;
}

const LINES_AFTER = 6;
/** A longer line was written by a program. */
const MAX_LINE = 1_000;
const MAX_CONTENT = 8_000;

/** The contract's result for a chunk, as it was indexed, which is without secrets; empty if its file was removed meanwhile. */
export function hitOf(
  code: CodeStore,
  { chunk, score, explanation }: ScoredChunk,
  { position, query }: { readonly position: number; readonly query: string },
): FoundHit[] {
  const file = readFile(code, fileOfChunk(chunk.id));
  const symbol = symbolFor(chunk, query);
  if (file === undefined || symbol === undefined) return [];
  const hit: ExplainedSearchHit = {
    chunk_id: chunk.id,
    rank: position + 1,
    relevance_score: Math.round(score * 10_000) / 10_000,
    file: {
      path: file.path,
      package: file.package || (directoryOf(file.path).split("/").at(-1) ?? ""),
      start_line: chunk.startLine,
      end_line: chunk.endLine,
      language: file.language || "text",
    },
    ...shownTexts(code, { chunk, file, symbol }),
    ...(explanation && { explanation }),
  };
  return [{ hit, file }];
}

function shownTexts(
  { store }: CodeStore,
  {
    chunk,
    file,
    symbol,
  }: { readonly chunk: StoredChunk; readonly file: StoredFile; readonly symbol: CodeSymbol },
): Pick<SearchHit, "symbol" | "content" | "context_before" | "context_after"> {
  const isInHeader = chunk.startLine <= file.header_end;
  const length = chunk.endLine - chunk.startLine + 1;
  const lines = readLines(store, file, chunk.startLine, chunk.endLine + LINES_AFTER);
  const header = isInHeader ? [] : readLines(store, file, file.header_start, file.header_end);
  return {
    symbol: {
      name: symbol.name,
      kind: symbol.kind,
      package: directoryOf(file.path),
      signature: symbol.signature,
      doc_comment: symbol.doc,
      ...(symbol.parent !== undefined && { parent: symbol.parent }),
      ...(symbol.ddd.length > 0 && { ddd_patterns: [...symbol.ddd] }),
    },
    content: contentOf(lines.slice(0, length), chunk.startLine, symbol),
    context_before: trimBlankLines(clipText(header)),
    context_after: trimBlankLines(clipText(lines.slice(length))),
  };
}

/** If a chunk holds several constants, the one that the query names. */
function symbolFor({ symbols: all }: StoredChunk, query: string): CodeSymbol | undefined {
  const asked = query.trim();
  const member = all.find(
    ({ isMember, name, parent }) => isMember && [name, `${parent}.${name}`].includes(asked),
  );
  if (member && !all.some(({ isMember, name }) => !isMember && name === asked)) return member;
  const symbols = all.filter(({ isMember }) => !isMember);
  if (symbols.length < 2) return symbols[0];
  const words = query.split(/[^\p{L}\p{N}_$]+/u);
  const lower = new Set(words.map((word) => word.toLowerCase()));
  return (
    symbols.find(({ name }) => words.includes(name)) ??
    symbols.find(({ name }) => lower.has(name.toLowerCase())) ??
    symbols[0]
  );
}

/** A chunk's lines with their doc comment. A later part of a long symbol repeats the signature. */
export function contentOf(
  lines: readonly string[],
  startLine: number,
  symbol: Pick<CodeSymbol, "startLine" | "signature"> | undefined,
): string {
  const text = clipText(lines);
  const isLaterPart = symbol !== undefined && startLine > symbol.startLine;
  return isLaterPart ? `${symbol.signature}\n…\n${text}` : text;
}

/** Joins lines, and cuts lines and texts that are too long to read. */
export function clipText(lines: readonly string[]): string {
  const clipped = lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  const text = clipped.join("\n");
  return text.length > MAX_CONTENT ? `${text.slice(0, MAX_CONTENT)}…` : text;
}

/** Removes blank lines at both ends; the first line keeps its indentation. */
const trimBlankLines = (text: string) => text.replace(/^(?:[ \t\r]*\n)+/, "").trimEnd();
