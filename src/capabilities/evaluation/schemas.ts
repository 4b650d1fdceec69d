import { z } from "zod";

export const METHODS = ["grep", "bm25", "search", "pack"] as const;
export type EvalMethod = (typeof METHODS)[number];

export const EvalInput = z.object({
  commits: z.int().min(1).max(1000).default(50).describe("How many of the newest commits that are tasks"),
  budget: z
    .array(z.string().regex(/^\d+$/))
    .min(1)
    .default(["2000", "4000", "8000"])
    .describe("Token budgets to measure at"),
  against: z
    .array(z.enum(METHODS))
    .min(1)
    .default([...METHODS])
    .describe("What to compare: git grep by words, plain BM25, code search, packs"),
  path: z.string().optional().describe("Directory of the project; default: the served one"),
  html: z.string().optional().describe("Write a report with plots to this file"),
  fail_under: z
    .string()
    .optional()
    .describe("Exit with 1 if a figure of the pack is lower, such as recall@4000=.55"),
  baseline: z.string().optional().describe("Compare with this earlier result, a file written with --json"),
});

const AtBudget = z.object({ budget: z.int(), recall: z.number(), files: z.number(), tokens: z.int() });
export const EvaluatedAnswer = z.object({
  method: z.enum(METHODS),
  at: z.array(AtBudget),
  reciprocal_rank: z.number(),
  ndcg: z.number(),
  milliseconds: z.number(),
  /** The first places of the answer at the largest budget. */
  given: z.array(z.string()),
});
export type EvaluatedAnswer = z.infer<typeof EvaluatedAnswer>;

export const EvaluatedTask = z.object({
  commit: z.string(),
  task: z.string(),
  functions: z.array(z.string()),
  files: z.array(z.string()),
  answers: z.array(EvaluatedAnswer),
});
export type EvaluatedTask = z.infer<typeof EvaluatedTask>;

const Interval = z.object({ mean: z.number(), low: z.number(), high: z.number() });
const MethodSummary = z.object({
  method: z.enum(METHODS),
  budgets: z.array(
    z.object({
      budget: z.int(),
      recall: Interval,
      files: z.number(),
      tokens: z.number(),
      recall_per_1000: z.number(),
    }),
  ),
  mrr: z.number(),
  ndcg: z.number(),
  milliseconds: z.number(),
});
const Comparison = z.object({
  method: z.enum(METHODS),
  budget: z.int(),
  ratio: Interval.describe("Recall of the pack over recall of this method"),
});
const BaselineChange = z.object({
  method: z.enum(METHODS),
  budget: z.int(),
  tasks: z.int(),
  difference: Interval,
  verdict: z.enum(["better", "worse", "within chance"]),
});

export const EvalOutput = z.object({
  head: z.string(),
  tasks: z.array(EvaluatedTask),
  methods: z.array(MethodSummary),
  pack_compared: z.array(Comparison),
  left_out: z
    .array(z.object({ reason: z.string(), commits: z.int() }))
    .optional()
    .describe("Commits that are no tasks after all, by reason"),
  baseline: z.array(BaselineChange).optional(),
  below: z.array(z.string()).describe("The demands of fail_under that were not met"),
  html: z.string().optional(),
});
export type EvalOutput = z.infer<typeof EvalOutput>;

/** Both are null if this project was never measured. */
export const EvalReport = z.object({ made_at: z.string().nullable(), report: EvalOutput.nullable() });
export type EvalReport = z.infer<typeof EvalReport>;
