import { byCodeUnit } from "../../../core/order.ts";

const DECISION = /^(knowledge\/decisions\/)(\d+)(-[^/]*\.md)$/;

export interface Renumbered {
  readonly from: string;
  readonly to: string;
}

/**
 * Decisions that two clones numbered alike: those only we have move to the next free numbers, for the others' are
 * already known to the team. `ours` are the decisions that only our side added.
 */
export function renumberDecisions(ours: readonly string[], theirs: readonly string[]): Renumbered[] {
  const taken = new Set(theirs.flatMap((path) => numberOf(path) ?? []));
  const clashing = ours.filter((path) => {
    const number = numberOf(path);
    return number !== undefined && taken.has(number) && !theirs.includes(path);
  });
  for (const path of ours) if (!clashing.includes(path)) taken.add(numberOf(path) ?? 0);
  return clashing.toSorted(byCodeUnit).map((from) => {
    const next = Math.max(0, ...taken) + 1;
    taken.add(next);
    return {
      from,
      to: from.replace(
        DECISION,
        (_, folder, _number, rest) => `${folder}${String(next).padStart(4, "0")}${rest}`,
      ),
    };
  });
}

/** The text of a decision under its new number: its first heading carries the number too. */
export function renumberText(text: string, to: string): string {
  const number = numberOf(to);
  return number === undefined ? text : text.replace(/^# \d+/m, `# ${String(number).padStart(4, "0")}`);
}

export function numberOf(path: string): number | undefined {
  const match = DECISION.exec(path);
  return match ? Number(match[2]) : undefined;
}
