import { directoryOf } from "../prepare/document.ts";
import type { SearchHit } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { type FileRow, readFile, type StoredChunk, type StoredSymbol } from "../store/stored-chunks.ts";
import { fileOfChunk } from "../store/tables.ts";
import { contentOf, shownText } from "./content.ts";
import { readLinesWithoutKeys, withoutSecrets } from "./redact.ts";

export interface Ranked {
  readonly chunk: StoredChunk;
  readonly score: number;
}
export interface FoundHit {
  readonly hit: SearchHit;
  readonly file: FileRow;
}
const LINES_AFTER = 6;

/** The contract's result for a chunk, as it was indexed and without secrets; none where its file has left meanwhile. */
export function hitOf(
  code: CodeStore,
  { chunk, score }: Ranked,
  at: { place: number; query: string },
): FoundHit[] {
  const file = readFile(code, fileOfChunk(chunk.id));
  const symbol = symbolFor(chunk, at.query);
  if (file === undefined || symbol === undefined) return [];
  const isInHeader = chunk.startLine <= file.header_end;
  const length = chunk.endLine - chunk.startLine + 1;
  const lines = readLinesWithoutKeys(code.store, file, chunk.startLine, chunk.endLine + LINES_AFTER);
  const header = isInHeader ? [] : readLinesWithoutKeys(code.store, file, file.header_start, file.header_end);
  const [signature = "", doc = "", content = "", before = "", after = ""] = withoutSecrets([
    symbol.signature,
    symbol.doc,
    contentOf(lines.slice(0, length), chunk.startLine, symbol),
    withoutBlankEnds(shownText(header)),
    withoutBlankEnds(shownText(lines.slice(length))),
  ]);
  const hit: SearchHit = {
    chunk_id: chunk.id,
    rank: at.place + 1,
    relevance_score: Math.round(score * 10_000) / 10_000,
    symbol: {
      name: symbol.name,
      kind: symbol.kind,
      package: directoryOf(file.path),
      signature,
      doc_comment: doc,
      ...(symbol.parent !== undefined && { parent: symbol.parent }),
      ...(symbol.ddd.length > 0 && { ddd_patterns: [...symbol.ddd] }),
    },
    file: {
      path: file.path,
      package: file.package || (directoryOf(file.path).split("/").at(-1) ?? ""),
      start_line: chunk.startLine,
      end_line: chunk.endLine,
      language: file.language || "text",
    },
    content,
    context_before: before,
    context_after: after,
  };
  return [{ hit, file }];
}

/** Blank lines at both ends go; the first line keeps its indentation. */
const withoutBlankEnds = (text: string) => text.replace(/^(?:[ \t\r]*\n)+/, "").trimEnd();

/** Of several constants in one chunk the one that was asked for. */
function symbolFor({ symbols }: StoredChunk, query: string): StoredSymbol | undefined {
  if (symbols.length < 2) return symbols[0];
  const words = query.split(/[^\p{L}\p{N}_$]+/u);
  const lower = new Set(words.map((word) => word.toLowerCase()));
  return (
    symbols.find(({ name }) => words.includes(name)) ??
    symbols.find(({ name }) => lower.has(name.toLowerCase())) ??
    symbols[0]
  );
}
