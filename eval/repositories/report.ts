import type { BenchmarkRepository, PublishedFigures } from "./benchmark.ts";

/** The figures of one question, by configuration. */
export interface QuestionFigures {
  readonly repository: BenchmarkRepository;
  readonly category: string;
  readonly figures: ReadonlyMap<string, number>;
}

const PEERS = ["semble", "cre_hybrid", "cre", "bm25", "colgrep", "probe", "ripgrep"];
const RESAMPLES = 2000;

/** A table with a row for each language, category and half, beside the published figures of other programs. */
export function tableOfGroups(
  questions: readonly QuestionFigures[],
  configurations: readonly string[],
  published: PublishedFigures,
): string {
  const languages = [...new Set(questions.map(({ repository }) => repository.language))].sort();
  const groups: [string, readonly QuestionFigures[], string][] = [
    ["**all**", questions, "all"],
    ...(["tune", "check"] as const).map((half): [string, QuestionFigures[], string] => [
      half,
      questions.filter(({ repository }) => repository.half === half),
      "all",
    ]),
    ...["semantic", "architecture", "symbol", "message"].map(
      (category): [string, QuestionFigures[], string] => [
        category,
        questions.filter((question) => question.category === category),
        category,
      ],
    ),
    ...languages.map((language): [string, QuestionFigures[], string] => [
      language,
      questions.filter(({ repository }) => repository.language === language),
      "all",
    ]),
  ];
  const rows = groups
    .filter(([, members]) => members.length > 0)
    .map(([name, members, key]) => [
      name,
      String(members.length),
      ...configurations.map((configuration) => shown(mean(members, configuration))),
      interval(members, configurations[0] ?? ""),
      ...PEERS.map((peer) => shown(publishedMean(members, peer, key, published))),
    ]);
  return markdown(["", "questions", ...configurations, "95 %", ...PEERS], rows);
}

/** What the score would be without each step, and how sure the difference is. */
export function tableOfAblations(questions: readonly QuestionFigures[], names: readonly string[]): string {
  const difference = (name: string) =>
    questions.map(({ figures }) => (figures.get(name) ?? 0) - (figures.get("hybrid") ?? 0));
  const rows = names.map((name) => {
    const [low, high] = bootstrap(difference(name));
    const of = (half: string) => {
      const members = questions.filter(({ repository }) => repository.half === half);
      return shown(mean(members, name));
    };
    const gap = mean(questions, name) - mean(questions, "hybrid");
    return [
      name,
      shown(mean(questions, name)),
      signed(gap),
      `${signed(low)} to ${signed(high)}`,
      of("tune"),
      of("check"),
    ];
  });
  return markdown(["", "NDCG@10", "difference", "95 %", "tune", "check"], rows);
}

/** One configuration against `hybrid`, question by question, for each language. */
export function tableOfDifferences(questions: readonly QuestionFigures[], name: string): string {
  const languages = [...new Set(questions.map(({ repository }) => repository.language))].sort();
  const rows = ["**all**", ...languages].map((language) => {
    const members = questions.filter(
      ({ repository }) => language === "**all**" || repository.language === language,
    );
    const differences = members.map(({ figures }) => (figures.get("hybrid") ?? 0) - (figures.get(name) ?? 0));
    const [low, high] = bootstrap(differences);
    const gap = mean(members, "hybrid") - mean(members, name);
    const figures = [mean(members, "hybrid"), mean(members, name)].map(shown);
    return [language, String(members.length), ...figures, signed(gap), `${signed(low)} to ${signed(high)}`];
  });
  return markdown(["", "questions", "hybrid", name, "difference", "95 %"], rows);
}

export const mean = (questions: readonly QuestionFigures[], configuration: string): number =>
  questions.reduce((sum, { figures }) => sum + (figures.get(configuration) ?? 0), 0) /
  Math.max(1, questions.length);

function interval(questions: readonly QuestionFigures[], configuration: string): string {
  const [low, high] = bootstrap(questions.map(({ figures }) => figures.get(configuration) ?? 0));
  return `${shown(low)}–${shown(high)}`;
}

/** The mean of resamples with replacement, its 2.5 % and 97.5 % points. The same numbers give the same interval. */
function bootstrap(values: readonly number[]): readonly [number, number] {
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / Math.max(1, values.length);
  }).sort((a, b) => a - b);
  return [means[Math.floor(RESAMPLES * 0.025)] ?? 0, means[Math.floor(RESAMPLES * 0.975)] ?? 0];
}

/** Published by repository: weighted here by its questions. */
function publishedMean(
  questions: readonly QuestionFigures[],
  peer: string,
  key: string,
  published: PublishedFigures,
): number {
  const known = questions.flatMap(({ repository }) => published[repository.name]?.[peer]?.[key] ?? []);
  return known.length < questions.length
    ? Number.NaN
    : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const shown = (value: number): string => (Number.isNaN(value) ? "" : value.toFixed(3).replace(/^0/, ""));
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${shown(Math.abs(value))}`;
const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
