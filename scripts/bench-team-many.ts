import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { query } from "../tests/support/postgres-server.ts";
import { askServer } from "../tests/support/team-processes.ts";
import { tempDir } from "../tests/support/temp-dir.ts";
import {
  type BenchServers,
  type BenchTeam,
  measured,
  openServers,
  shownTimes,
  untilPublished,
} from "./bench-team-processes.ts";
import { gitAt, timed } from "./bench-tools.ts";

interface ManyBench extends BenchServers {
  /** Its children are git repositories, with a work tree or bare. */
  readonly directory: string;
  /** So many commits of each repository are projects. */
  readonly commits: number;
}
interface ManyProject {
  readonly name: string;
  readonly url: string;
  readonly branch: string;
}
const WORKERS = 2;
const QUESTIONS = 72;
/** The commits of one repository are so far from each other that their indexes differ. */
const COMMITS_BETWEEN = 300;

/** One search over many projects, compared with the same search in the largest of them. */
export async function reportMany({ directory, commits, ...options }: ManyBench): Promise<void> {
  await using team = await openServers(options, 2);
  using place = tempDir();
  const repositories = readdirSync(directory).map((name) => resolve(directory, name));
  const projects = repositories.flatMap((path) => projectsOf(path, place.path, commits));
  for (const project of projects) await register(team.url, project);
  const ms = await timed(async () => {
    for (let at = 0; at < WORKERS; at++) await team.processes.startWorker(`worker${at}`);
    await untilPublished(team.url);
  });
  print("published", `after ${Math.round(ms / 1000)} s with ${WORKERS} workers`);
  const token = team.token(`bench ${randomUUID()}`);
  await reportManySearch(team, token, questionsOf(repositories));
}

/** Branches of a new repository with the trees of some commits: to fetch one, its history is not needed. */
function projectsOf(repository: string, place: string, count: number): ManyProject[] {
  const name =
    repository
      .split("/")
      .at(-1)
      ?.replace(/\.git$/, "") ?? "";
  const bare = join(place, `${name}.git`);
  mkdirSync(bare);
  gitAt(bare, "init", "-q", "--bare");
  const objects = gitAt(repository, "rev-parse", "--path-format=absolute", "--git-path", "objects");
  writeFileSync(join(bare, "objects", "info", "alternates"), objects);
  const all = gitAt(
    repository,
    "rev-list",
    "--first-parent",
    `-n${(count - 1) * COMMITS_BETWEEN + 1}`,
    "HEAD",
  );
  const chosen = all
    .trim()
    .split("\n")
    .filter((_, at) => at % COMMITS_BETWEEN === 0);
  let parents: string[] = [];
  return chosen.reverse().map((commit, at) => {
    const branch = `c${at + 1}`;
    // A message of its own: the same trees must not be taken for a fork of another repository.
    const made = gitAt(bare, "commit-tree", `${commit}^{tree}`, ...parents, "-m", `${name} ${branch}`).trim();
    gitAt(bare, "update-ref", `refs/heads/${branch}`, made);
    parents = ["-p", made];
    return { name: `${name}@${branch}`, url: `file://${bare}`, branch };
  });
}

/** A project that is there from an earlier run stays as it is. */
async function register(url: string, project: ManyProject): Promise<void> {
  const values = [project.name, project.url, project.branch].map((text) => `'${text.replaceAll("'", "''")}'`);
  await query(
    url,
    `INSERT INTO contextful_team.projects (name, url, branch) VALUES (${values}) ON CONFLICT DO NOTHING`,
  );
}

/** What people wrote about changes of these repositories. */
function questionsOf(repositories: readonly string[]): string[] {
  const each = Math.ceil(QUESTIONS / repositories.length);
  return repositories
    .flatMap((path) =>
      gitAt(path, "log", "--no-merges", "--format=%s", "-n200")
        .split("\n")
        .filter((subject) => subject.split(" ").length > 3)
        .slice(0, each),
    )
    .slice(0, QUESTIONS);
}

const Listed = z.object({ projects: z.array(z.object({ name: z.string() })) });
const Status = z.object({ statistics: z.object({ total_chunks: z.int() }) });

async function reportManySearch(
  { servers: [one, other] }: BenchTeam,
  token: string,
  questions: readonly string[],
): Promise<void> {
  if (!one || !other) return;
  const { projects } = Listed.parse((await askServer(one.port, token, "list_projects", {})).body);
  const sizes: { readonly name: string; readonly chunks: number }[] = [];
  for (const { name } of projects) {
    const { body } = await askServer(one.port, token, "get_status", { project: name });
    sizes.push({ name, chunks: Status.parse(body).statistics.total_chunks });
  }
  const [largest] = sizes.toSorted((a, b) => b.chunks - a.chunks);
  const chunks = sizes.reduce((sum, size) => sum + size.chunks, 0);
  print(
    "projects",
    `${sizes.length} with ${chunks} chunks; the largest, ${largest?.name}, has ${largest?.chunks}`,
  );
  const ask = (port: number, where: object) => (text: string) =>
    askServer(port, token, "search_code", { query: text, limit: 10, ...where });
  const cold = await timed(() => ask(other.port, {})("warm up"));
  print("first search over all", `${Math.round(cold)} ms: every index is fetched`);
  const [single, many] = await measured(questions, [
    { process: one, ask: ask(one.port, { project: largest?.name }) },
    { process: other, ask: ask(other.port, {}) },
  ]);
  if (!single || !many) return;
  const ratio = (of: "p50" | "p95" | "cpu") => `${(many[of] / single[of]).toFixed(1)} ×`;
  print(`search in ${largest?.name}`, shownTimes(single));
  print(`search over ${sizes.length} projects`, shownTimes(many));
  print("compared with one", `p50 ${ratio("p50")}, p95 ${ratio("p95")}, processor time ${ratio("cpu")}`);
}

const print = (what: string, figure: string) => process.stdout.write(`${what}: ${figure}\n`);
