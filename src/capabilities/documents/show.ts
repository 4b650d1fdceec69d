import type { AddedSource, DocumentHit, ScoreExplanation, Stats, StoredDocument } from "./schemas.ts";

export function showResults(
  results: readonly (DocumentHit & { explanation?: ScoreExplanation | undefined })[],
): string {
  if (results.length === 0) return "No results.";
  return results
    .map(({ score, title, source, source_id, updated_at, snippet, id, explanation }, index) => {
      const why = explanation
        ? `\n   keyword ${explanation.keyword_score.toFixed(3)}, semantic ${explanation.semantic_score.toFixed(3)}, alpha ${explanation.alpha}, candidates ${explanation.keyword_candidates} + ${explanation.vector_candidates}`
        : "";
      const place = `${source}  ${inLine(source_id)}  ${updated_at.slice(0, 10)}`;
      return `${index + 1}. [${score.toFixed(2)}] ${inLine(title ?? source_id)}\n   ${place}${why}\n   ${inLine(snippet)}\n   id: ${id}`;
    })
    .join("\n\n");
}

export function showDocument(document: StoredDocument): string {
  const head = [
    `title:   ${inLine(document.title ?? "(none)")}`,
    `source:  ${document.source}  ${inLine(document.source_id)}`,
    ...(document.source_url === null ? [] : [`url:     ${document.source_url}`]),
    ...(document.author === null ? [] : [`author:  ${inLine(document.author)}`]),
    `updated: ${document.updated_at}`,
    `chunks:  ${document.chunks.length}`,
  ];
  return `${head.join("\n")}\n\n${document.body}`;
}

/** A name with a line break would look like a line of ours. */
const inLine = (text: string): string => text.replace(/\s+/g, " ").trim();

export function showStats(stats: Stats): string {
  const percent = stats.chunks === 0 ? 0 : Math.floor((stats.embedded / stats.chunks) * 100);
  return [
    `documents: ${stats.documents}`,
    `chunks:    ${stats.chunks}`,
    `embedded:  ${stats.embedded} / ${stats.chunks} (${percent}%)`,
    `size:      ${(stats.size_bytes / 1_000_000).toFixed(1)} MB`,
    ...stats.sources.map(
      ({ source, documents, chunks, last_sync }) =>
        `  ${source}  ${counted(documents, "document")}, ${counted(chunks, "chunk")}, last sync ${last_sync ?? "never"}`,
    ),
    ...stats.problems.map((problem) => `problem: ${problem}`),
  ].join("\n");
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const showAddedSource = ({ label, file, diff, written }: AddedSource): string =>
  written
    ? `Added ${label} to ${file}. Next: contextful documents sync ${label}`
    : `${diff}\nNothing was written. Add --yes to write it.`;
