/**
 * Measures packs and searches on the user's own history: a commit's message is a task, the functions it changed are the
 * answer, and the project is read as it was before the commit. The room owns a copy of the tree in our data directory,
 * written from git's objects. It promises the same figures for the same history, except for the times.
 */

import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import type { EvaluatedProject, OpenEvaluatedProject } from "./evaluation.ts";
import { evaluationTools } from "./tools.ts";

export type { AnswerPiece } from "./measure/recall.ts";
export type { EvaluatedProject };

export function openEvaluation(
  machine: Machine,
  loadProject: () => Promise<OpenEvaluatedProject>,
): { readonly tools: readonly Tool[] } {
  const load = once(async () => {
    const { Evaluation } = await import("./evaluation.ts");
    return new Evaluation(machine, await loadProject());
  });
  return { tools: evaluationTools(load) };
}
