import { byCodeUnit } from "../../../core/order.ts";

const DECISIONS = "knowledge/decisions/";
export const DECISION_ROWS = `${DECISIONS}.meta.json`;
const DECISION = /^(knowledge\/decisions\/)(\d{1,9})((?:-[^/]*)?\.md)$/;

export interface Renumbered {
  readonly from: string;
  readonly to: string;
}

/**
 * If two clones used the same number, our decision moves to the next free number, because the team already knows the
 * other one. `ours` are the decisions that only our side added; `reserved` numbers are not used.
 */
export function renumberDecisions(
  ours: readonly string[],
  theirs: readonly string[],
  reserved: readonly number[] = [],
): Renumbered[] {
  const taken = new Set(theirs.flatMap((path) => numberOf(path) ?? []));
  const clashing = ours.filter((path) => {
    const number = numberOf(path);
    return number !== undefined && taken.has(number) && !theirs.includes(path);
  });
  const staying = ours.filter((path) => !clashing.includes(path));
  return moveToFree(clashing.toSorted(byCodeUnit), [...theirs, ...staying], reserved);
}

/** New names for decisions, with numbers above all taken ones. */
export function moveToFree(
  paths: readonly string[],
  taken: readonly string[],
  reserved: readonly number[] = [],
): Renumbered[] {
  const numbers = [...taken.flatMap((path) => numberOf(path) ?? []), ...reserved];
  const most = numbers.reduce((most, number) => Math.max(most, number), 0);
  return paths.map((from, index) => ({
    from,
    to: from.replace(
      DECISION,
      (_, folder, _number, rest) => `${folder}${String(most + index + 1).padStart(4, "0")}${rest}`,
    ),
  }));
}

/** Changes the number in the first heading, if it is the old number of the decision: a title may start with a number. */
export function renumberText(text: string, { from, to }: Renumbered): string {
  const [before, after] = [numberOf(from), numberOf(to)];
  return text.replace(/^# .*/m, (heading) =>
    heading.replace(/^# (\d+)/, (head, number) =>
      Number(number) === before && after !== undefined ? `# ${String(after).padStart(4, "0")}` : head,
    ),
  );
}

/** Moves the metadata rows, which are stored under the file name. */
export function renumberRows(text: string, renumbered: readonly Renumbered[]): string {
  const names = new Map(renumbered.map(({ from, to }) => [nameOf(from), nameOf(to)]));
  const rows = Object.entries(rowsOf(text)).map(([name, row]) => [names.get(name) ?? name, row] as const);
  return rows.length === 0
    ? text
    : `${JSON.stringify(Object.fromEntries(rows.sort(([a], [b]) => byCodeUnit(a, b))), null, 2)}\n`;
}

/** Numbers that decisions have or once had. */
export const numbersIn = (text: string): number[] =>
  Object.keys(rowsOf(text)).flatMap((name) => numberOf(`${DECISIONS}${name}`) ?? []);

const nameOf = (path: string) => path.slice(DECISIONS.length);

function rowsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const rows: unknown = JSON.parse(text);
    return typeof rows === "object" && rows !== null && !Array.isArray(rows) ? { ...rows } : {};
  } catch {
    return {};
  }
}

export function numberOf(path: string): number | undefined {
  const match = DECISION.exec(path);
  return match ? Number(match[2]) : undefined;
}
