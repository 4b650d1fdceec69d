// How well document search answers questions: 46 pages of an invented project, 64 questions in the words of people who do not
// know the pages. Every other question was used to choose weights (`tuning`), the rest only to report (`reported`). The
// questions of `nonsense.txt` have no answer here: their best score should be far below that of a real answer.
//   npm run eval -- --documents
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Contextful, openContextful } from "../../src/library/library.ts";

/** Commands run from the top of the repository. */
const FOLDER = join("eval", "documents");
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

export async function evaluateDocuments(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "contextful-documents-"));
  const project = openContextful({ root, env: { ...process.env, XDG_DATA_HOME: join(root, "data") } });
  try {
    writePages(root);
    await project.documentsSync({});
    const nonsense = linesOf("nonsense.txt");
    for (const mode of MODES) {
      const answered = await Promise.all(questions().map((asked) => answer(project, asked, mode)));
      for (const [at, half] of HALVES.entries()) {
        printHalf(
          `${mode}  ${half}`,
          answered.filter((_, index) => index % 2 === at),
        );
      }
      const found = await Promise.all(
        nonsense.map((question) => answer(project, { question, pages: [] }, mode)),
      );
      print(`${mode}  nonsense  ${scoresOf(found)}`);
      const missed = answered.filter(({ place }, index) => index % 2 === 0 && place !== 1);
      if (mode === "hybrid")
        for (const { question, place } of missed) print(`  ${place || "none"}: ${question}`);
    }
  } finally {
    await project.close();
    rmSync(root, { recursive: true, force: true });
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);

async function answer(
  project: Contextful,
  { question, pages }: { readonly question: string; readonly pages: readonly string[] },
  mode: DocumentMode,
): Promise<Answered> {
  const { results } = await project.documentsSearch({ query: question, mode, limit: 100 });
  const place = results.findIndex(({ source_id }) => pages.includes(source_id)) + 1;
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

function writePages(root: string): void {
  const pages = readFileSync(join(FOLDER, "pages.txt"), "utf8").split(/^=== /m).slice(1);
  for (const page of pages) {
    const end = page.indexOf("\n");
    const file = join(root, page.slice(0, end));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page.slice(end + 1));
  }
}

const linesOf = (name: string) => readFileSync(join(FOLDER, name), "utf8").trim().split("\n");

const questions = () =>
  linesOf("questions.tsv").map((row) => {
    const [question = "", pages = ""] = row.split("\t");
    return { question, pages: pages.split(",") };
  });
