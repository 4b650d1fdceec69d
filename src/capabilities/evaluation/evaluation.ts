import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { z } from "zod";
import { DomainError } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files/atomic-write.ts";
import { askGit } from "../../core/git/git.ts";
import { sha256 } from "../../core/hash.ts";
import { parseJson } from "../../core/json.ts";
import type { Machine } from "../../core/machine.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import type { Call } from "../../core/tool.ts";
import type { AnswerPiece, QuotedLines } from "./measure/recall.ts";
import { compareWithBaseline, failuresOf, summarise } from "./measure/summary.ts";
import { type MinedCommit, mineCommits } from "./mine/commits.ts";
import { Replay } from "./replay/replay.ts";
import { openResults } from "./replay/results.ts";
import { htmlReport } from "./report/html.ts";
import { type EvalInput, EvalOutput, type EvalReport } from "./schemas.ts";

/** What app.ts passes in: opens a directory as the served project, so that its packs have all that an agent would get. */
export type OpenEvaluatedProject = (path: string) => EvaluatedProject;

/** The rooms under evaluation. */
export interface EvaluatedProject {
  index(call: Call): Promise<void>;
  /** The symbols of each file, in the order of `files`. */
  symbols(files: readonly string[]): Promise<readonly (readonly NamedLines[])[]>;
  search(task: string, signal: AbortSignal): Promise<AnswerPiece[]>;
  pack(request: PackOfBudget, call: Call): Promise<PackAnswer>;
  close(): Promise<void>;
}
export interface NamedLines extends QuotedLines {
  readonly name: string;
  /** A test among source. */
  readonly isTest: boolean;
}
interface PackOfBudget {
  readonly task: string;
  readonly budget: number;
}
interface PackAnswer {
  readonly pieces: readonly AnswerPiece[];
  readonly tokens: number;
}

const REPORT = "report.json";

export class Evaluation {
  readonly #machine: Machine;
  readonly #openProject: OpenEvaluatedProject;

  constructor(machine: Machine, openProject: OpenEvaluatedProject) {
    this.#machine = machine;
    this.#openProject = openProject;
  }

  async run(input: z.output<typeof EvalInput>, call: Call): Promise<EvalOutput> {
    const root = await this.#machine.roots.directory(input.path);
    const budgets = input.budget.map(Number).sort((a, b) => a - b);
    const baseline = input.baseline === undefined ? undefined : await this.#readBaseline(input.baseline);
    const head = await headOf(root, call.signal);
    const { commits, unreadable } = await mineCommits(root, input.commits, call.signal);
    if (commits.length === 0 && unreadable > 0) throw allUnreadable(unreadable);
    const directory = this.#directoryOf(root);
    const results = await openResults(
      directory,
      sha256(JSON.stringify([head, input.commits, budgets, input.against])),
    );
    const tree = join(directory, "tree");
    // Files of an interrupted run may be of any commit.
    await rm(tree, { recursive: true, force: true });
    await mkdir(tree, { recursive: true, mode: 0o700 });
    const project = this.#openProject(tree);
    const methods = input.against;
    const count = await loadTokenizer();
    const replay = new Replay({ repository: root, tree, project, methods, budgets, count });
    const lost = await replayAll(replay, { commits, results }, call).finally(() => project.close());
    const tasks = commits.flatMap(({ id }) => results.get(id) ?? []);
    const summary = summarise(tasks, input.against, budgets);
    const output: EvalOutput = {
      head,
      tasks,
      ...summary,
      left_out: leftOut(unreadable + lost.size, commits.length - lost.size - tasks.length),
      ...(baseline && { baseline: compareWithBaseline(tasks, baseline.tasks) }),
      below: failuresOf(summary.methods, input.fail_under),
      ...(input.html !== undefined && { html: input.html }),
    };
    if (input.html !== undefined)
      await writeFileAtomic(resolve(this.#machine.root, input.html), htmlReport(output));
    await writeFileAtomic(join(directory, REPORT), JSON.stringify(output));
    await results.remove();
    await rm(tree, { recursive: true, force: true });
    return output;
  }

  /** The result of the last run for this project. */
  async lastReport(path: string | undefined): Promise<EvalReport> {
    const file = join(this.#directoryOf(await this.#machine.roots.directory(path)), REPORT);
    const text = await readFile(file, "utf8").catch(() => undefined);
    const parsed = text === undefined ? undefined : EvalOutput.safeParse(parseJson(text));
    if (!parsed?.success) return { made_at: null, report: null };
    return { made_at: (await stat(file)).mtime.toISOString(), report: parsed.data };
  }

  #directoryOf(root: string): string {
    return join(this.#machine.home, "evaluation", sha256(root).slice(0, 16));
  }

  async #readBaseline(file: string): Promise<EvalOutput> {
    const text = await readFile(resolve(this.#machine.root, file), "utf8").catch(() => undefined);
    const parsed = text === undefined ? undefined : EvalOutput.safeParse(parseJson(text));
    if (parsed?.success) return parsed.data;
    throw new DomainError("invalid_input", `${file} is not a result of "contextful eval --json".`, {
      details: { param: "baseline" },
    });
  }
}

/** Measures the commits without a result, oldest first. Returns those whose files git cannot list. */
async function replayAll(
  replay: Replay,
  { commits, results }: { commits: readonly MinedCommit[]; results: Awaited<ReturnType<typeof openResults>> },
  call: Call,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const [at, commit] of commits.toReversed().entries()) {
    call.signal.throwIfAborted();
    call.progress.report({ done: at, total: commits.length, label: "commits" });
    if (results.has(commit.id)) continue;
    if (await replay.moveBefore(commit, call.signal))
      await results.add(commit.id, await replay.evaluate(commit, call));
    else lost.add(commit.id);
  }
  return lost;
}

async function headOf(root: string, signal: AbortSignal): Promise<string> {
  const head = await askGit(["rev-parse", "HEAD"], { cwd: root, signal });
  if (head !== undefined) return head.trim();
  throw new DomainError("not_found", "There is no history here. Run this in a git repository with commits.");
}

const allUnreadable = (commits: number) =>
  new DomainError(
    "unavailable",
    `Git lacks objects of all ${commits} commits that may be tasks, as in a partial clone. Fetch them with: git fetch --refetch`,
  );

const leftOut = (unreadable: number, withoutAnswer: number): EvalOutput["left_out"] =>
  [
    { reason: "git lacks objects of them", commits: unreadable },
    { reason: "they change no function of their parent, or say only its name", commits: withoutAnswer },
  ].filter(({ commits }) => commits > 0);
