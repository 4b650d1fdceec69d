// How well the history answers why a file was removed: 25 questions for each repository of a directory, made from its commits.
//   npm run eval -- --removed DIR
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openContextful } from "../../src/library/library.ts";

const MOST_QUESTIONS = 25;
const MODES = ["keyword", "semantic", "hybrid"] as const;
const LOG = ["--no-merges", "-M100%", "--max-count=2000", "--name-status", "--format=%x01%H"];

interface RemovalQuestion {
  readonly question: string;
  /** The commits that removed a file of this name. */
  readonly answers: ReadonlySet<string>;
}

export async function evaluateRemovedFiles(directory: string): Promise<void> {
  for (const name of readdirSync(directory).sort()) {
    const root = join(directory, name);
    const home = mkdtempSync(join(tmpdir(), "contextful-removed-"));
    const project = openContextful({ root, env: { ...process.env, CONTEXTFUL_HOME: home } });
    try {
      await project.documentsSync({ target: "all" });
      await project.documentsSync({ target: "commits" });
      const questions = questionsAbout(root);
      for (const mode of MODES) {
        const places = await Promise.all(
          questions.map(async ({ question, answers }) => {
            const { results } = await project.documentsSearch({ query: question, mode, limit: 100 });
            return results.findIndex(({ source_id }) => answers.has(source_id)) + 1;
          }),
        );
        const mrr = places.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0) / places.length;
        const first = places.filter((place) => place === 1).length;
        process.stdout.write(`${name}  ${mode}  MRR ${mrr.toFixed(3)}  first ${first}/${places.length}\n`);
      }
    } finally {
      await project.close();
      rmSync(home, { recursive: true, force: true });
    }
  }
}

/** About the first file of each commit that removed a few. */
function questionsAbout(root: string): RemovalQuestion[] {
  const removals = removalsOf(root);
  const named = removals
    .filter(({ names }) => names.length <= 5)
    .flatMap(({ names: [name = ""] }) => (/[a-z]{4}/i.test(name) ? [name] : []));
  return [...new Set(named)].slice(0, MOST_QUESTIONS).map((name, at) => {
    const asked = at % 2 === 0 ? name.replace(/(.)\.\w+$/, "$1") : name;
    const removers = removals.filter(({ names }) => names.includes(name)).map(({ commit }) => commit);
    return {
      question: `why was ${asked} ${at % 2 === 0 ? "removed" : "deleted"}`,
      answers: new Set(removers),
    };
  });
}

function removalsOf(root: string): { readonly commit: string; readonly names: readonly string[] }[] {
  const log = execFileSync("git", ["-C", root, "log", ...LOG], { encoding: "utf8", maxBuffer: 2 ** 28 });
  return log
    .split("\u0001")
    .slice(1)
    .map((record) => {
      const [commit = "", ...files] = record.split("\n");
      return {
        commit,
        names: files.flatMap((file) => (file.startsWith("D\t") ? [basename(file.slice(2))] : [])),
      };
    });
}
