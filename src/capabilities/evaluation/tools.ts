import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import type { Evaluation } from "./evaluation.ts";
import { showEvaluation } from "./report/table.ts";
import { EvalInput, EvalOutput, EvalReport } from "./schemas.ts";

export const evaluationTools = (load: () => Promise<Evaluation>): readonly Tool[] => [
  defineTool({
    room: "evaluation",
    name: "evaluation_run",
    description:
      "Measure how well packs and searches serve this repository: its own commits are the tasks, what they changed is the answer. Everything is read from git; the work tree is not touched.",
    effect: "reads",
    audience: "people",
    command: {
      words: "eval",
      examples: [
        "contextful eval",
        "contextful eval --commits 20 --budget 4000 --against search,pack --html report.html",
        "contextful eval --json > main.json",
        "contextful eval --baseline main.json --fail-under recall@4000=.55",
      ],
      exitCode: ({ below }) => (below.length === 0 ? 0 : 1),
    },
    input: EvalInput,
    output: EvalOutput,
    run: async (input, call) => (await load()).run(input, call),
    show: showEvaluation,
  }),
  defineTool({
    room: "evaluation",
    name: "evaluation_report",
    description: "Show the result of the last evaluation of this project again.",
    effect: "reads",
    audience: "people",
    command: { words: "eval report", examples: ["contextful eval report", "contextful eval report --json"] },
    input: z.object({
      path: z.string().optional().describe("Directory of the project; default: the served one"),
    }),
    output: EvalReport,
    run: async ({ path }) => (await load()).lastReport(path),
    show: ({ made_at, report }) =>
      report === null ? "Not measured yet. Run: contextful eval" : `${made_at}\n${showEvaluation(report)}`,
  }),
];
