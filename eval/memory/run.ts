// How well memory search answers questions: 150 entries of an invented project, 60 questions in the words of people who do not
// know the entries. Every other question was used to choose weights (`tuning`), the rest only to report (`reported`).
//   npm run eval -- --memory
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Contextful, openContextful } from "../../src/library/library.ts";

const FILES = {
  knowledge: (key: string) => `knowledge/${key}.md`,
  convention: (key: string) => `conventions/${key}.md`,
  decision: (key: string, id: number) => `knowledge/decisions/${String(id).padStart(4, "0")}-${key}.md`,
  skill: (key: string) => `skills/${key}/SKILL.md`,
} as const satisfies Record<string, (key: string, id: number) => string>;
/** Commands run from the top of the repository. */
const FOLDER = join("eval", "memory");
const HALVES = ["tuning", "reported"] as const;

/** `store`: 150 entries. `rivals`: for each subject also what was decided before, and what is about another thing. */
const SETS = [
  { entries: "store.txt", asked: "questions.tsv", modes: ["keyword", "hybrid"] },
  { entries: "rivals.txt", asked: "rivals.tsv", modes: ["hybrid"] },
] as const;

export async function evaluateMemory(): Promise<void> {
  for (const { entries, asked, modes } of SETS) {
    const root = mkdtempSync(join(tmpdir(), "contextful-memory-"));
    const project = openContextful({ root, env: { ...process.env, XDG_DATA_HOME: join(root, "data") } });
    try {
      writeStore(root, entries);
      process.stdout.write(`${entries}\n`);
      for (const mode of modes) await evaluateMode(project, questionsIn(asked), mode);
    } finally {
      await project.close();
      rmSync(root, { recursive: true, force: true });
    }
  }
}

async function evaluateMode(
  project: Contextful,
  questions: readonly Question[],
  mode: "keyword" | "hybrid",
): Promise<void> {
  const ranks = await Promise.all(
    questions.map(async ({ question, keys }) => {
      const found = await project.contextSearch({ query: question, mode, limit: 500 });
      const entries = [...new Set(found.map(({ key }) => key.replace(/^\d{4}-/, "")))];
      return { question, place: entries.findIndex((key) => keys.includes(key)) + 1 };
    }),
  );
  for (const [at, half] of HALVES.entries()) {
    const places = ranks.filter((_, index) => index % 2 === at).map(({ place }) => place);
    const reciprocal = places.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0);
    const first = places.filter((place) => place === 1).length;
    const mrr = `MRR ${(reciprocal / places.length).toFixed(3)}`;
    process.stdout.write(`${mode}  ${half}  ${mrr}  first ${first}/${places.length}\n`);
  }
  if (mode === "keyword") return;
  const missed = ranks.filter(({ place }, index) => index % 2 === 0 && place !== 1);
  for (const { question, place } of missed) process.stdout.write(`  ${place || "none"}: ${question}\n`);
}

function writeStore(root: string, file: string): void {
  mkdirSync(join(root, ".git"));
  const entries = readFileSync(join(FOLDER, file), "utf8").split(/^=== /m).slice(1);
  for (const [at, entry] of entries.entries()) {
    const [head = "", ...lines] = entry.split("\n");
    const [kind = "", key = ""] = head.split(" ");
    if (!isKind(kind)) throw new Error(`no kind ${kind}`);
    const path = join(root, ".context-teleport", FILES[kind](key, at + 1));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.join("\n"));
  }
}

const isKind = (kind: string): kind is keyof typeof FILES => kind in FILES;

interface Question {
  readonly question: string;
  readonly keys: readonly string[];
}

const questionsIn = (file: string): Question[] =>
  readFileSync(join(FOLDER, file), "utf8")
    .trim()
    .split("\n")
    .map((row) => {
      const [question = "", keys = ""] = row.split("\t");
      return { question, keys: keys.split(",") };
    });
