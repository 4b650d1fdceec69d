import { showChosenEmbedding } from "../../core/search/embedders/embed-by-choice.ts";
import type { ExplainedSearchOutput, HitExplanation, IndexOutput, StatusOutput } from "./schemas.ts";

const SNIPPET_LINES = 12;
const HEAD_LINES = 2;
const MAX_PROBLEMS = 10;

export function showIndex({ statistics, errors, embedding, message }: IndexOutput): string {
  const counts = [
    `${statistics.files_skipped} unchanged`,
    `${statistics.files_removed} removed`,
    `${statistics.text_files_indexed} other text files`,
    `${statistics.symbols_extracted} symbols`,
    `${statistics.chunks_created} chunks`,
    `${statistics.index_size_mb} MB`,
  ];
  const problems = errors.slice(0, MAX_PROBLEMS).map(({ file, error }) => `  ${file}: ${error}`);
  const count = Math.max(statistics.files_failed, errors.length);
  const failed = count > 0 ? [`${count} with problems:`, ...problems] : [];
  const more = errors.length - problems.length;
  return [
    message,
    counts.join(", "),
    ...failed,
    ...(more > 0 ? [`  ${more} more; --json has all`] : []),
    ...(embedding ? [showChosenEmbedding(embedding)] : []),
  ].join("\n");
}

/** One line for each run of `code watch`: what it changed. */
export function showRun(run: IndexOutput): string {
  const changes = changesOf(run);
  return changes.length === 0 ? run.message : changes.join(", ");
}

export const hasChanges = (run: IndexOutput): boolean => changesOf(run).length > 0;

function changesOf({ statistics, message }: IndexOutput): string[] {
  const { files_indexed, files_failed, files_removed, text_files_indexed } = statistics;
  return [
    ...(files_indexed > 0 ? [message] : []),
    ...(text_files_indexed > 0 ? [`${text_files_indexed} other text files indexed`] : []),
    ...(files_failed > 0 ? [`${files_failed} files with problems`] : []),
    ...(files_removed > 0 ? [`${files_removed} files removed`] : []),
  ];
}

/** Says that an answer is behind, if it is. */
export function changedSince(files: number): string[] {
  if (files === 0) return [];
  return [
    files === 1
      ? "1 file has changed since it was indexed."
      : `${files} files have changed since they were indexed.`,
  ];
}

/** Path and line come first, so that editors and terminals link them. Lines with a word of the query are marked. */
export function showSearch({
  results,
  query,
  statistics,
  indexing,
  degraded,
  index_first,
  message,
  unknown_name,
}: ExplainedSearchOutput): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const blocks = results.map(
    ({ file, symbol, content, relevance_score: score, fresh, matches, explanation }) => {
      if (matches) return matches.map(({ line, text }) => `${file.path}:${line}  ${text}`).join("\n");
      const stale = fresh === false ? "  (changed since)" : "";
      const head = `${file.path}:${file.start_line}  ${symbol.signature}  [${symbol.kind}, ${score.toFixed(2)}]${stale}`;
      const why = explanation ? [`  why: ${showExplanation(explanation)}`] : [];
      return [head, ...why, ...snippet(content, words)].join("\n");
    },
  );
  const notes = [
    ...unknownName(unknown_name),
    ...(degraded === undefined
      ? []
      : [index_first === undefined ? `By ${statistics.model ?? "words"} only: ${degraded}` : degraded]),
    ...(indexing && degraded === undefined
      ? ["A new index is being made; these results are from the last one."]
      : []),
    ...changedSince(statistics.files_changed).map((note) => `${note} Run: contextful code index`),
  ];
  const { model } = statistics;
  const found = model === undefined || degraded !== undefined ? message : `${message}, by ${model}`;
  return [...blocks, [found, ...notes].join("\n")].join("\n\n");
}

/** `2.10 = (words 0.52 #1 + meaning 0.31 #4 + definition 1) × saturation 0.3` */
export function showExplanation({
  keyword_rank,
  vector_rank,
  exact_name,
  score,
  steps,
}: HitExplanation): string {
  const shown = (value: number) => String(Math.round(value * 100) / 100);
  const ranks: Readonly<Record<string, number | undefined>> = { words: keyword_rank, meaning: vector_rank };
  const bonuses = steps.flatMap(({ step, bonus }) => {
    const rank = ranks[step];
    return bonus === undefined ? [] : [`${step} ${shown(bonus)}${rank === undefined ? "" : ` #${rank}`}`];
  });
  const factors = steps.flatMap(({ step, factor }) =>
    factor === undefined ? [] : [` × ${step} ${shown(factor)}`],
  );
  const sum = bonuses.length > 1 && factors.length > 0 ? `(${bonuses.join(" + ")})` : bonuses.join(" + ");
  return `${exact_name ? "exact name, " : ""}${shown(score)} = ${sum}${factors.join("")}`;
}

export function unknownName(unknown: ExplainedSearchOutput["unknown_name"]): string[] {
  if (!unknown) return [];
  const nearest = unknown.nearest.length > 0 ? `; nearest: ${unknown.nearest.join(", ")}` : "";
  return [`No symbol named ${unknown.name}${nearest}.`];
}

/** The first lines, and those around the line with the most words of the query. */
function snippet(content: string, words: readonly string[]): string[] {
  const lines = content.split("\n");
  const counts = lines.map((line) => {
    const lower = line.toLowerCase();
    return words.filter((word) => lower.includes(word)).length;
  });
  const marked = lines.map((line, at) => `${counts[at] ? ">" : " "} ${line}`);
  const best = counts.indexOf(Math.max(0, ...counts));
  const rest = lines.length - SNIPPET_LINES;
  const more = rest > 0 ? [`  … ${rest} more lines`] : [];
  if (best < SNIPPET_LINES) return [...marked.slice(0, SNIPPET_LINES), ...more];
  const around = SNIPPET_LINES - HEAD_LINES;
  const from = Math.min(best - Math.floor(around / 2), lines.length - around);
  return [...marked.slice(0, HEAD_LINES), "  …", ...marked.slice(from, from + around), ...more];
}

export function showStatus({ project, statistics, health, indexing, message }: StatusOutput): string {
  const lines = [message];
  if (project && statistics && health) {
    const coverage = health.embedding_coverage
      ?.map(({ model, embedded }) => `${model} ${embedded}`)
      .join(", ");
    lines.push(
      `root      ${project.root_path}`,
      ...(project.module_name === ""
        ? []
        : [`module    ${project.module_name} ${project.go_version}`.trimEnd()]),
      `symbols   ${statistics.total_symbols}`,
      `chunks    ${statistics.total_chunks}`,
      `vectors   ${coverage || "none"}`,
      `size      ${statistics.index_size_mb} MB`,
      `indexed   ${statistics.last_indexed_at} in ${statistics.indexing_duration_seconds} s`,
      ...(health.problems ?? []).map((problem) => `problem   ${problem}`),
    );
  }
  if (indexing)
    lines.push(`running   ${indexing.files_done} of ${indexing.files_total} files (process ${indexing.pid})`);
  return lines.join("\n");
}
