import { randomInt } from "node:crypto";
import { CODE_KIND } from "../src/capabilities/code-index/index.ts";
import { projectKey } from "../src/capabilities/team/projects/project-key.ts";
import { openTeamStore } from "../src/core/replica/open-replica.ts";
import { makeRemote } from "../tests/support/git-remote.ts";
import { query } from "../tests/support/postgres-server.ts";
import { askServer, type TeamProcess } from "../tests/support/team-processes.ts";
import { type BenchServers, openServers, untilPublished } from "./bench-team-processes.ts";
import { median } from "./bench-tools.ts";

/** What is hidden, and what does not exist: names of equal length. */
const [HIDDEN, ABSENT] = ["secret/plans", "absent/plans"] as const;
const TOOLS = ["search_code", "outline", "context.search", "context_pack", "query_context"];

/**
 * Whether time tells a project that exists, but is not granted, from one that does not: both are asked for in turn, and the
 * two lists of times are compared.
 */
export async function reportTiming(options: BenchServers, calls: number): Promise<void> {
  await using team = await openServers(options, 1);
  const { processes, url } = team;
  const [server] = team.servers;
  if (!server) return;
  using open = makeRemote("api", { "a.go": source("Alpha"), "docs/a.md": "# Alpha\n" });
  using hidden = makeRemote("plans", { "b.go": source("Beta"), "docs/b.md": "# Beta\n" });
  processes.run("projects", "add", open.url, "--name", "shop/api");
  processes.run("projects", "add", hidden.url, "--name", HIDDEN);
  await processes.startWorker("worker");
  await untilPublished(url);
  const owner = team.token("owner", "--project", HIDDEN);
  const ana = team.token("ana", "--project", "shop/api");
  // The server has it open.
  for (const token of [owner, ana]) await untilAnswered(server, token);
  for (const tool of TOOLS) {
    const ask = (project: string) =>
      askServer(server.port, ana, tool, { project, query: "it", task: "it", path: ".", scope: "." });
    await compare(tool, calls, { hidden: () => ask(HIDDEN), absent: () => ask(ABSENT) });
  }
  await reportStore(team.servers[0] ?? server, { url, token: ana, calls });
}

interface StoreTiming {
  readonly url: string;
  readonly token: string;
  readonly calls: number;
}

/** The same for somebody who knows the id of a manifest. */
async function reportStore({ port }: TeamProcess, { url, token, calls }: StoreTiming): Promise<void> {
  await using store = await openTeamStore(url);
  const [row] = await query(url, `SELECT id FROM contextful_team.projects WHERE name = '${HIDDEN}'`);
  const [generation] = await store.registry.generations(projectKey(Object(row).id), CODE_KIND);
  if (!generation) throw new Error("nothing is published");
  const ask = async (id: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const body = JSON.stringify({ id });
    await (
      await fetch(`http://127.0.0.1:${port}/replica/manifest`, { method: "POST", headers, body })
    ).text();
  };
  const absent = generation.manifest.split("").reverse().join("");
  await compare("replica/manifest", calls, {
    hidden: () => ask(generation.manifest),
    absent: () => ask(absent),
  });
}

interface Compared {
  hidden(): Promise<unknown>;
  absent(): Promise<unknown>;
}

async function compare(what: string, calls: number, asked: Compared): Promise<void> {
  const times = { hidden: [] as number[], absent: [] as number[] };
  for (let call = 0; call < calls; call++) {
    const order = randomInt(2) === 0 ? (["hidden", "absent"] as const) : (["absent", "hidden"] as const);
    for (const one of order) {
      const from = performance.now();
      await asked[one]();
      times[one].push(performance.now() - from);
    }
  }
  const { share, deviations } = mannWhitney(times.hidden, times.absent);
  const shown = (ms: number) => ms.toFixed(3);
  process.stdout.write(
    `${what}: median ${shown(median(times.hidden))} ms if it exists, ${shown(median(times.absent))} ms if not; ` +
      `slower if it exists in ${(share * 100).toFixed(1)} % of pairs, ${deviations.toFixed(1)} standard deviations from chance\n`,
  );
}

/** The share of pairs in which the first is larger, and how far that is from one half (Mann-Whitney). */
function mannWhitney(first: readonly number[], second: readonly number[]) {
  const all = [
    ...first.map((time) => ({ time, isFirst: true })),
    ...second.map((time) => ({ time, isFirst: false })),
  ];
  all.sort((a, b) => a.time - b.time);
  const ranks = all.reduce((sum, { isFirst }, at) => sum + (isFirst ? at + 1 : 0), 0);
  const pairs = first.length * second.length;
  const larger = ranks - (first.length * (first.length + 1)) / 2;
  const spread = Math.sqrt((pairs * (all.length + 1)) / 12);
  return { share: larger / pairs, deviations: (larger - pairs / 2) / spread };
}

async function untilAnswered({ port }: TeamProcess, token: string): Promise<void> {
  for (;;) {
    const { status, body } = await askServer(port, token, "search_code", { query: "it" });
    if (status === 200 && body.statistics?.total_results > 0) return;
  }
}

const source = (name: string) => `package p\n\n// ${name} does it.\nfunc ${name}() {}\n`;
