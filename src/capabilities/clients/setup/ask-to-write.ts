import type { Call } from "../../../core/tool.ts";
import { isToWrite, type SetupReport, type SetupRow, showPlan } from "./setup-report.ts";

/** What the person says to a plan; `undefined` where there is nothing to write or nobody to ask. */
export async function askToWrite(
  rows: readonly SetupRow[],
  { confirm }: Call,
): Promise<SetupReport["answer"]> {
  const count = rows.filter(isToWrite).length;
  if (count === 0 || confirm === undefined) return undefined;
  const question = count === 1 ? "Write this file?" : `Write these ${count} files?`;
  return (await confirm(`${showPlan(rows)}\n`, question)) ? "yes" : "no";
}
