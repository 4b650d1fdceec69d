import type { ChangedRange } from "../mine/commits.ts";

export interface QuotedLines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}
/** A part of an answer: what the agent reads, and the lines of the project it contains. */
export interface AnswerPiece {
  readonly text: string;
  readonly quotes: readonly QuotedLines[];
}
/** A function that a commit changed, as it was in the parent. */
export interface ChangedFunction extends QuotedLines {
  readonly name: string;
  readonly changed: readonly ChangedRange[];
}
export interface TaskTruth {
  readonly functions: readonly ChangedFunction[];
  readonly files: readonly string[];
}
interface AnswerScore {
  /** Share of the changed functions that are in the answer, and of the changed files. */
  readonly recall: number;
  readonly files: number;
  readonly tokens: number;
}

/** A piece with its price; counting tokens is slow, so each piece is counted once for all budgets. */
interface PricedPiece {
  readonly piece: AnswerPiece;
  readonly cost: number;
}

export const pricePieces = (
  pieces: readonly AnswerPiece[],
  count: (text: string) => number,
): readonly PricedPiece[] => pieces.map((piece) => ({ piece, cost: count(piece.text) + 1 }));

/** As many pieces from the top as fit; one that does not fit is skipped. */
export function withinBudget(
  priced: readonly PricedPiece[],
  budget: number,
): { readonly pieces: readonly AnswerPiece[]; readonly tokens: number } {
  const kept: AnswerPiece[] = [];
  let tokens = 0;
  for (const { piece, cost } of priced) {
    if (tokens + cost > budget) continue;
    tokens += cost;
    kept.push(piece);
  }
  return { pieces: kept, tokens };
}

export function scoreOf(
  { functions, files }: TaskTruth,
  pieces: readonly AnswerPiece[],
): Pick<AnswerScore, "recall" | "files"> {
  const lines = linesByPath(pieces);
  return {
    recall: share(functions, (each) => isGiven(each, lines.get(each.path))),
    files: share(files, (path) => lines.has(path)),
  };
}

/** 1 / the place of the first piece that gives a changed function; 0 if none does. */
export function reciprocalRank(truth: TaskTruth, pieces: readonly AnswerPiece[]): number {
  const at = pieces.findIndex((piece) => gainOf(truth, [], piece) > 0);
  return at === -1 ? 0 : 1 / (at + 1);
}

const MOST_RANKS = 20;

/** Discounted gain of the first pieces, relative to an answer with all changed functions at the top. */
export function ndcg(truth: TaskTruth, pieces: readonly AnswerPiece[]): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const top = pieces.slice(0, MOST_RANKS);
  const gained = top.reduce(
    (sum, piece, at) => sum + gainOf(truth, top.slice(0, at), piece) * discount(at),
    0,
  );
  const ideal = truth.functions.slice(0, MOST_RANKS).reduce((sum, _, at) => sum + discount(at), 0);
  return ideal === 0 ? 0 : Math.min(1, gained / ideal);
}

/** How many changed functions a piece adds to the pieces before it. */
function gainOf({ functions }: TaskTruth, before: readonly AnswerPiece[], piece: AnswerPiece): number {
  const old = linesByPath(before);
  const all = linesByPath([...before, piece]);
  return functions.filter((each) => isGiven(each, all.get(each.path)) && !isGiven(each, old.get(each.path)))
    .length;
}

function linesByPath(pieces: readonly AnswerPiece[]): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  for (const { path, start, end } of pieces.flatMap(({ quotes }) => quotes)) {
    const known = lines.get(path) ?? new Set();
    for (let line = start; line <= end; line++) known.add(line);
    lines.set(path, known);
  }
  return lines;
}

/** A function is given if the answer has half of its lines, or half of the lines to change. */
function isGiven({ start, end, changed }: ChangedFunction, lines: ReadonlySet<number> | undefined): boolean {
  if (lines === undefined) return false;
  const has = (from: number, to: number) => {
    let count = 0;
    for (let line = from; line <= to; line++) if (lines.has(line)) count++;
    return count;
  };
  if (has(start, end) >= (end - start + 1) / 2) return true;
  const inside = changed.map((range) => ({
    start: Math.max(start, range.start),
    end: Math.min(end, range.end),
  }));
  const total = inside.reduce((sum, range) => sum + range.end - range.start + 1, 0);
  const found = inside.reduce((sum, range) => sum + has(range.start, range.end), 0);
  return total > 0 && found >= total / 2;
}

const share = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.length === 0 ? 0 : values.filter(test).length / values.length;
