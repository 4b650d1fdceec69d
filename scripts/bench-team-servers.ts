import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CODE_KIND } from "../src/capabilities/code-index/index.ts";
import { projectKey } from "../src/capabilities/team/projects/project-key.ts";
import { languageOf } from "../src/core/parse/parse.ts";
import { openTeamStore } from "../src/core/replica/open-replica.ts";
import { type GitRemoteRepository, makeRemote } from "../tests/support/git-remote.ts";
import { query } from "../tests/support/postgres-server.ts";
import { askServer, type TeamProcess } from "../tests/support/team-processes.ts";
import { tempDir } from "../tests/support/temp-dir.ts";
import {
  type BenchServers,
  type BenchTeam,
  measured,
  openServers,
  shownTimes,
  until,
  untilPublished,
} from "./bench-team-processes.ts";
import { gitAt, median, timed } from "./bench-tools.ts";

interface ServerBench extends BenchServers {
  readonly tree: string;
  readonly projects: number;
  /** Each repository is registered so many times: their indexes share blocks in the store, but not on a server. */
  readonly copies: number;
}
interface BenchProject {
  readonly name: string;
  readonly directory: string;
  readonly remote: GitRemoteRepository;
  readonly lines: number;
}
interface MeasuredTeam {
  readonly team: BenchTeam;
  readonly workers: readonly TeamProcess[];
  readonly token: string;
  readonly projects: readonly BenchProject[];
  readonly largest: BenchProject;
}
const SERVERS = 3;
const WORKERS = 2;
const ROUNDS = 5;
const CHANGED_FILES = 10;
const QUERIES = 60;
const MEGABYTE = 1_000_000;

export async function reportServers({ tree, projects: wanted, copies, isBuilt }: ServerBench): Promise<void> {
  await using team = await openServers({ isBuilt }, SERVERS);
  const projects = makeProjects(tree, Math.ceil(wanted / copies));
  const [largest] = projects.toSorted((a, b) => b.lines - a.lines);
  if (!largest) throw new Error(`no sources under ${tree}`);
  try {
    for (const { name, remote } of projects)
      team.processes.run("projects", "add", remote.url, "--name", name);
    const workers = await reportPublication(team, projects);
    await addCopies(team, copies);
    const measured = { team, workers, token: team.token("bench"), projects, largest };
    await reportSearch(measured);
    await reportPush(measured);
  } finally {
    for (const { remote } of projects) remote[Symbol.dispose]();
  }
}

/** More projects with the same published generations. */
async function addCopies({ url }: BenchTeam, copies: number): Promise<void> {
  await using store = await openTeamStore(url);
  const columns = "url, repository, kind, commit, published_at";
  for (let copy = 2; copy <= copies; copy++) {
    const added = await query(
      url,
      `INSERT INTO contextful_team.projects (name, ${columns}) SELECT name || ' ${copy}', ${columns}
       FROM contextful_team.projects WHERE name NOT LIKE '% %' RETURNING id, name`,
    );
    for (const row of z.array(z.object({ id: z.string(), name: z.string() })).parse(added)) {
      const [first] = await query(
        url,
        `SELECT id FROM contextful_team.projects WHERE name = '${row.name.split(" ")[0]}'`,
      );
      const [generation] = await store.registry.generations(projectKey(Object(first).id), CODE_KIND);
      const manifest = generation && (await store.registry.manifest(generation.manifest));
      if (generation && manifest)
        await store.registry.publish({ ...generation, project: projectKey(row.id) }, manifest);
    }
  }
}

/** A repository of each directory, the one with the most sources first. */
function makeProjects(tree: string, wanted: number): BenchProject[] {
  const linesIn = (directory: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && languageOf(entry.name) !== undefined)
      .reduce(
        (sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name), "utf8").split("\n").length,
        0,
      );
  const named = readdirSync(tree)
    .map((name) => ({ name, directory: join(tree, name) }))
    .filter(({ directory }) => statSync(directory).isDirectory())
    .map((project) => ({ ...project, lines: linesIn(project.directory) }))
    .filter(({ lines }) => lines > 0)
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, wanted);
  return named.map((project) => {
    const remote = makeRemote(project.name, { "project.txt": `${project.name}\n` });
    const clone = remote.git("rev-parse", "--show-toplevel");
    cpSync(project.directory, clone, { recursive: true, dereference: true });
    remote.push({});
    return { ...project, remote };
  });
}

const Sizes = z.object({ packed: z.coerce.number(), length: z.coerce.number() });

/** The first index of every project, and what it needs in the store. */
async function reportPublication(
  { url, processes }: BenchTeam,
  projects: readonly BenchProject[],
): Promise<TeamProcess[]> {
  const workers: TeamProcess[] = [];
  const ms = await timed(async () => {
    for (let at = 0; at < WORKERS; at++) workers.push(await processes.startWorker(`worker${at}`));
    await untilPublished(url);
  });
  const lines = projects.reduce((sum, project) => sum + project.lines, 0);
  const [sizes] = z.array(Sizes).parse(
    await query(
      url,
      `SELECT (SELECT sum(length(packed)) FROM contextful.blocks) AS packed,
              (SELECT sum((content::json->>'length')::bigint) FROM contextful.manifests) AS length`,
    ),
  );
  const perMillion = (bytes: number) => `${Math.round(bytes / lines)} MB per million lines`;
  print("projects", `${projects.length}, ${lines} lines`);
  print("first index and publication", `${Math.round(ms / 100) / 10} s with ${WORKERS} workers`);
  print("indexes as files", `${megabytes(sizes?.length)} MB, ${perMillion(sizes?.length ?? 0)}`);
  print("blocks in PostgreSQL", `${megabytes(sizes?.packed)} MB, ${perMillion(sizes?.packed ?? 0)}`);
  return workers;
}

/** The same questions to a server of the team and to the embedded one, over HTTP. */
async function reportSearch({ team, token, largest }: MeasuredTeam): Promise<void> {
  const { processes, url } = team;
  const [first, second] = team.servers;
  if (!first || !second) return;
  const queries = questionsOf(largest.directory);
  using scratch = tempDir();
  gitAt(scratch.path, "clone", "-q", largest.remote.url, "clone");
  const root = join(scratch.path, "clone");
  processes.run("code", "index", root);
  const embedded = await processes.start(
    "person",
    ["serve", "--root", root, "--port", "0"],
    /Stop with Ctrl-C/,
  );
  const ask =
    ({ port }: TeamProcess, input: object) =>
    (text: string) =>
      askServer(port, token, "search_code", { query: text, ...input });
  const [count] = await query(url, "SELECT count(*)::int AS projects FROM contextful_team.projects");
  const all = `search over ${Object(count).projects} projects`;
  const cold = await timed(() => ask(second, {})("warm up"));
  const [alone, one, many] = await measured(queries, [
    { process: embedded, ask: ask(embedded, { path: root }) },
    { process: first, ask: ask(first, { project: largest.name }) },
    { process: second, ask: ask(second, {}) },
  ]);
  if (!alone || !one || !many) return;
  print(`embedded search in ${largest.name}`, shownTimes(alone));
  print(
    "the same on a server",
    `${shownTimes(one)}; p95 is ${(one.p95 / alone.p95).toFixed(2)} times the embedded one`,
  );
  print(`first ${all}`, `${Math.round(cold)} ms: every index is fetched`);
  print(all, shownTimes(many));
}

/** From `git push` until every server finds a new name. */
async function reportPush({ team, workers, token, largest }: MeasuredTeam): Promise<void> {
  const { processes, servers } = team;
  for (const { port } of servers)
    await askServer(port, token, "search_code", { query: "x", project: largest.name });
  const clone = largest.remote.git("rev-parse", "--show-toplevel");
  const files = goFiles(clone).slice(0, CHANGED_FILES);
  const times: number[] = [];
  const before = workers.map((worker) => worker.said().length);
  for (let round = 0; round < ROUNDS; round++) {
    const name = `BenchAddition${round}`;
    const changed = files.map((file, at): [string, string] => [
      file,
      `${readFileSync(join(clone, file), "utf8")}\nfunc ${name}In${at}() {}\n`,
    ]);
    largest.remote.push(Object.fromEntries(changed));
    times.push(
      await timed(async () => {
        await fetch(`http://127.0.0.1:${servers[0]?.port}/webhooks`, {
          method: "POST",
          headers: { "x-gitlab-token": processes.secret },
          body: JSON.stringify({ project: { git_http_url: largest.remote.url } }),
        });
        await Promise.all(
          servers.map(({ port }) =>
            until(async () => {
              const input = { query: `${name}In0`, project: largest.name, search_mode: "keyword", limit: 1 };
              const { body } = await askServer(port, token, "search_code", input);
              return body.results?.[0]?.symbol.name === `${name}In0`;
            }),
          ),
        );
      }),
    );
  }
  const seconds = (ms: number) => (ms / 1_000).toFixed(2);
  const jobs = workers.flatMap((worker, at) => publications(worker.said().slice(before[at]), largest.name));
  const reused = jobs.map(({ blocks, new_blocks }) => ((1 - new_blocks / blocks) * 100).toFixed(1));
  print(
    `${CHANGED_FILES} changed files of ${largest.name} (${largest.lines} lines)`,
    `found on ${servers.length} servers after ${seconds(median(times))} s (${times.map(seconds).join(", ")})`,
  );
  print("of it the worker's jobs", `${jobs.map((job) => `${job.seconds} s`).join(", ")}`);
  print("blocks of the code that were there already", `${reused.join(" %, ")} %`);
}

/** What workers have said of a project. */
const publications = (said: string, name: string) =>
  said
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .flatMap((line) => Published.safeParse(JSON.parse(line)).data ?? [])
    .filter(({ project }) => project === name);
const Published = z.object({
  project: z.string(),
  state: z.literal("published"),
  seconds: z.number(),
  blocks: z.int(),
  new_blocks: z.int(),
});

/** A directory may have such a name too. */
const goFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".go") && statSync(join(directory, file)).isFile(),
  );

/** Sentences of doc comments. */
function questionsOf(directory: string): string[] {
  const sentences = goFiles(directory).flatMap((file) => {
    const text = readFileSync(join(directory, file), "utf8");
    return [...text.matchAll(/^\/\/ [A-Z]\w+ ([a-z][^.\n]{30,90})/gm)].map(([, sentence = ""]) => sentence);
  });
  const step = Math.max(1, Math.floor(sentences.length / QUERIES));
  return sentences.filter((_, at) => at % step === 0).slice(0, QUERIES);
}

const megabytes = (bytes = 0) => Math.round((bytes / MEGABYTE) * 10) / 10;
const print = (what: string, figure: string) => process.stdout.write(`${what}: ${figure}\n`);
