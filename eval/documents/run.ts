// How well document search answers questions, in the words of people who do not know the answers:
//   --documents  94 about 46 pages of an invented project, and nonsense, whose best score should be far below that of an answer
//   --history    40 about this repository's own commits: why, when and who. As it was on one day: each new commit and page competes.
//   --packages   40 about the packages that this repository depends on, as they are installed
// Every other question was used to choose weights and rules (`tuning`), the rest only to report (`reported`).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Contextful, openContextful } from "../../src/library/library.ts";

const HALVES = ["tuning", "reported"] as const;
const MODES = ["keyword", "semantic", "hybrid"] as const;
type DocumentMode = (typeof MODES)[number];

interface Answered {
  readonly question: string;
  /** From 1; 0 if it was not found. */
  readonly place: number;
  /** The score of the first result. */
  readonly score: number;
}

interface QuestionSet {
  /** What is synced; the pages of an invented project, or this repository. */
  readonly target: "all" | "commits" | "packages";
  /** What the questions call a hit. */
  nameOf(hit: { readonly title: unknown; readonly source_id: string }): string;
}
const SETS = {
  documents: { target: "all", nameOf: ({ source_id }) => source_id },
  history: { target: "commits", nameOf: ({ title }) => String(title) },
  // Without the version, which changes with the lock file.
  packages: { target: "packages", nameOf: ({ source_id }) => source_id.replace(/^(.[^@]*)@[^/]+/, "$1") },
} as const satisfies Record<string, QuestionSet>;
export type DocumentSetName = keyof typeof SETS;

export async function evaluateDocuments(name: DocumentSetName): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "contextful-documents-"));
  const isInvented = name === "documents";
  // Commands run from the top of the repository.
  const root = name === "packages" ? process.cwd() : join(scratch, "project");
  const folder = join("eval", name);
  const { target, nameOf }: QuestionSet = SETS[name];
  const project = openContextful({ root, env: { ...process.env, CONTEXTFUL_HOME: join(scratch, "data") } });
  try {
    if (isInvented) writePages(root, folder);
    if (name === "history") checkOut(HISTORY_END, root);
    await project.documentsSync({ target: "all" });
    await project.documentsSync({ target });
    const ask = (asked: Question, mode: DocumentMode) => answer(project, asked, { mode, nameOf });
    for (const mode of MODES) {
      const answered = await Promise.all(questionsIn(folder).map((asked) => ask(asked, mode)));
      for (const [at, half] of HALVES.entries()) {
        printHalf(
          `${mode}  ${half}`,
          answered.filter((_, index) => index % 2 === at),
        );
      }
      if (isInvented) {
        const nonsense = linesOf(join(folder, "nonsense.txt")).map((question) => ({ question, answers: [] }));
        const found = await Promise.all(nonsense.map((asked) => ask(asked, mode)));
        print(`${mode}  nonsense  ${scoresOf(found)}`);
      }
      const missed = answered.filter(({ place }, index) => index % 2 === 0 && place !== 1);
      for (const { question, place } of missed) print(`  ${place || "none"}: ${question}`);
    }
  } finally {
    await project.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Question {
  readonly question: string;
  readonly answers: readonly string[];
}

async function answer(
  project: Contextful,
  { question, answers }: Question,
  { mode, nameOf }: { readonly mode: DocumentMode } & Pick<QuestionSet, "nameOf">,
): Promise<Answered> {
  const { results } = await project.documentsSearch({ query: question, mode, limit: 100 });
  const place = results.findIndex((hit) => answers.includes(nameOf(hit))) + 1;
  return { question, place, score: results[0]?.score ?? 0 };
}

function printHalf(name: string, answered: readonly Answered[]): void {
  const reciprocal = answered.reduce((sum, { place }) => sum + (place === 0 ? 0 : 1 / place), 0);
  const within = (most: number) => answered.filter(({ place }) => place > 0 && place <= most).length;
  const mrr = (reciprocal / answered.length).toFixed(3);
  print(
    `${name}  MRR ${mrr}  first ${within(1)}/${answered.length}  in five ${within(5)}  ${scoresOf(answered)}`,
  );
}

/** The best score of each question: the median, and the range. */
function scoresOf(answered: readonly Answered[]): string {
  const scores = answered.map(({ score }) => score).sort((a, b) => a - b);
  const at = (share: number) => (scores[Math.round(share * (scores.length - 1))] ?? 0).toFixed(2);
  return `best score ${at(0.5)} (${at(0)} to ${at(1)})`;
}

/** Questions, answers and figures of several days are about the same commits and pages. */
const HISTORY_END = "1c2b3d99690442107c7e796a062ac337ab9045da";
function checkOut(commit: string, directory: string): void {
  execFileSync("git", ["clone", "--quiet", "--no-checkout", "--", process.cwd(), directory]);
  execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: directory });
}

function writePages(root: string, folder: string): void {
  const pages = readFileSync(join(folder, "pages.txt"), "utf8").split(/^=== /m).slice(1);
  for (const page of pages) {
    const end = page.indexOf("\n");
    const file = join(root, page.slice(0, end));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page.slice(end + 1));
  }
}

const linesOf = (file: string) => readFileSync(file, "utf8").trim().split("\n");

/** Several files are separated by commas; the subject of a commit may have commas too. */
const questionsIn = (folder: string): Question[] =>
  linesOf(join(folder, "questions.tsv")).map((row) => {
    const [question = "", answers = ""] = row.split("\t");
    return { question, answers: [answers, ...answers.split(",")] };
  });
