import { DomainError } from "../../../core/errors.ts";
import type { EvalMethod, EvalOutput, EvaluatedAnswer, EvaluatedTask } from "../schemas.ts";
import { bootstrapDifference, bootstrapMean, bootstrapRatio, meanOf } from "./bootstrap.ts";

type Summary = Pick<EvalOutput, "methods" | "pack_compared">;

/** The means over all tasks, with intervals, and the pack compared with every other method. */
export function summarise(
  tasks: readonly EvaluatedTask[],
  methods: readonly EvalMethod[],
  budgets: readonly number[],
): Summary {
  const others = methods.filter((method) => method !== "pack");
  return {
    methods: methods.map((method) => {
      const answers = answersOf(tasks, method);
      return {
        method,
        budgets: budgets.map((budget) => atBudget(answers, budget)),
        mrr: round(meanOf(answers.map(({ reciprocal_rank }) => reciprocal_rank))),
        ndcg: round(meanOf(answers.map(({ ndcg }) => ndcg))),
        milliseconds: Math.round(meanOf(answers.map(({ milliseconds }) => milliseconds))),
      };
    }),
    pack_compared: methods.includes("pack")
      ? others.flatMap((method) =>
          budgets.map((budget) => ({
            method,
            budget,
            ratio: rounded(
              bootstrapRatio(recallsOf(tasks, "pack", budget), recallsOf(tasks, method, budget)),
            ),
          })),
        )
      : [],
  };
}

/** Every method and budget that both results have, by the tasks that both have. */
export function compareWithBaseline(
  now: readonly EvaluatedTask[],
  before: readonly EvaluatedTask[],
): NonNullable<EvalOutput["baseline"]> {
  const known = new Map(before.map((task) => [task.commit, task]));
  const pairs = now.flatMap((task) => {
    const earlier = known.get(task.commit);
    return earlier === undefined ? [] : [{ task, earlier }];
  });
  const [first] = now;
  return (first?.answers ?? []).flatMap(({ method, at }) =>
    at.map(({ budget }) => {
      const difference = rounded(
        bootstrapDifference(
          recallsOf(
            pairs.map(({ task }) => task),
            method,
            budget,
          ),
          recallsOf(
            pairs.map(({ earlier }) => earlier),
            method,
            budget,
          ),
        ),
      );
      const verdict = difference.low > 0 ? "better" : difference.high < 0 ? "worse" : "within chance";
      return { method, budget, tasks: pairs.length, difference, verdict } as const;
    }),
  );
}

/** The demands that the pack does not meet, such as `recall@4000=.55,mrr=.4`. */
export function failuresOf(methods: Summary["methods"], demands: string | undefined): string[] {
  const pack = methods.find(({ method }) => method === "pack");
  return (demands ?? "").split(",").flatMap((demand) => {
    if (demand.trim() === "") return [];
    const [, figure = "", budget, least = ""] =
      /^(recall|files|mrr|ndcg)(?:@(\d+))?=(\d*\.?\d+)$/.exec(demand.trim()) ?? [];
    const at = pack?.budgets.find((each) => each.budget === Number(budget));
    const value = { recall: at?.recall.mean, files: at?.files, mrr: pack?.mrr, ndcg: pack?.ndcg }[figure];
    if (value === undefined) throw invalidDemand(demand);
    return value < Number(least) ? [`${demand.trim()}: the pack has ${value.toFixed(3)}`] : [];
  });
}

const invalidDemand = (demand: string) =>
  new DomainError(
    "invalid_input",
    `Not a figure of this run: ${demand.slice(0, 60)}. Use recall@BUDGET=VALUE with a measured budget, files@BUDGET, mrr or ndcg.`,
    { details: { param: "fail_under" } },
  );

const answersOf = (tasks: readonly EvaluatedTask[], method: EvalMethod): EvaluatedAnswer[] =>
  tasks.flatMap(({ answers }) => answers.filter((answer) => answer.method === method));

const recallsOf = (tasks: readonly EvaluatedTask[], method: EvalMethod, budget: number): number[] =>
  tasks.map(
    ({ answers }) =>
      answers.find((answer) => answer.method === method)?.at.find((each) => each.budget === budget)?.recall ??
      0,
  );

function atBudget(
  answers: readonly EvaluatedAnswer[],
  budget: number,
): Summary["methods"][number]["budgets"][number] {
  const scores = answers.flatMap(({ at }) => at.filter((each) => each.budget === budget));
  const recall = rounded(bootstrapMean(scores.map((each) => each.recall)));
  const tokens = Math.round(meanOf(scores.map((each) => each.tokens)));
  return {
    budget,
    recall,
    files: round(meanOf(scores.map((each) => each.files))),
    tokens,
    recall_per_1000: round(tokens === 0 ? 0 : (recall.mean * 1000) / tokens),
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
const rounded = <T extends { mean: number; low: number; high: number }>({ mean, low, high }: T) => ({
  mean: round(mean),
  low: round(low),
  high: round(high),
});
