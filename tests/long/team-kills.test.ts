import { expect, test, vi } from "vitest";
import { source } from "../support/code-project.ts";
import { makeRemote } from "../support/git-remote.ts";
import { query } from "../support/postgres-server.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { askServer, openTeamProcesses, type TeamProcess } from "../support/team-processes.ts";

/** A round takes some seconds: `CONTEXTFUL_TEAM_KILLS=200` is for a quiet hour. */
const ROUNDS = Number(process.env["CONTEXTFUL_TEAM_KILLS"] ?? 15);
const WAIT = { timeout: 250_000, interval: 100 };
const LIMIT_MS = 60_000 + ROUNDS * 60_000;
const NAMES = ["shop/api", "shop/web"] as const;
const KINDS = ["server", "server", "worker", "worker"] as const;

/** The same kills in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Two servers, two workers, two projects whose only function is named after the last push. */
async function openVersions(url: string) {
  const processes = await openTeamProcesses(url);
  const remotes = NAMES.map((name) => makeRemote(name.slice(5), { "version.go": source("Version0") }));
  for (const [at, name] of NAMES.entries())
    processes.run("projects", "add", remotes[at]?.url ?? "", "--name", name);
  const { token } = JSON.parse(
    processes.run("team", "tokens", "add", "ana", "--calls-per-minute", "1000000", "--json"),
  );
  processes.run("team", "grant", "ana", "read");
  const start = (place: number) =>
    KINDS[place] === "worker"
      ? processes.startWorker(`process${place}`)
      : processes.startServer(`process${place}`, "--webhook-secret-file", processes.secretFile);
  const running: TeamProcess[] = [];
  for (const place of KINDS.keys()) running.push(await start(place));
  const ports = () => running.filter(({ port }) => port > 0).map(({ port }) => port);
  const found = async (port: number, project: string) => {
    const { body } = await askServer(port, token, "search_code", { query: "Version", project });
    return String(body.results?.[0]?.symbol.name);
  };
  return {
    /** What each server finds in each project. */
    foundEverywhere: () => Promise.all(ports().flatMap((port) => NAMES.map((name) => found(port, name)))),
    async push(at: number, version: number) {
      remotes[at]?.push({ "version.go": source(`Version${version}`) });
      await fetch(`http://127.0.0.1:${ports()[0]}/webhooks`, {
        method: "POST",
        headers: { "x-gitlab-token": processes.secret },
        body: JSON.stringify({ project: { git_http_url: remotes[at]?.url } }),
      });
    },
    async kill(place: number) {
      await running[place]?.end("SIGKILL");
      running[place] = await start(place);
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      for (const remote of remotes) remote[Symbol.dispose]();
    },
  };
}

describeWithPostgres("a team under kill -9", (postgres) => {
  const title = `${ROUNDS} publications with random kills lose nothing, and every answer is old or new`;
  test(title, { timeout: LIMIT_MS }, async () => {
    const url = await postgres().createDatabase();
    await using team = await openVersions(url);
    const random = seeded(23);
    const versions = [0, 0];
    const untilNewest = () =>
      vi.waitFor(async () => {
        const newest = versions.map((version) => `Version${version}`);
        expect(await team.foundEverywhere()).toEqual([...newest, ...newest]);
      }, WAIT);
    await untilNewest();
    for (let round = 1; round <= ROUNDS; round++) {
      const at = random() < 0.5 ? 0 : 1;
      versions[at] = round;
      await team.push(at, round);
      // A kill at any moment of the job, not after an event of it.
      await new Promise((resolve) => setTimeout(resolve, random() * 2_000));
      await team.kill(Math.floor(random() * KINDS.length));
      for (const name of await team.foundEverywhere()) expect(name).toMatch(/^Version\d+$/);
    }
    await untilNewest();
    const missing = `SELECT 1 FROM contextful.manifests, json_array_elements_text(content::json->'blocks') AS hash
      WHERE NOT EXISTS (SELECT FROM contextful.blocks WHERE blocks.hash = decode(hash.value, 'hex'))`;
    expect(await query(url, missing)).toEqual([]);
    const held = "SELECT name FROM contextful.leases WHERE expires_at > now()";
    await vi.waitFor(async () => expect(await query(url, held)).toEqual([]), WAIT);
  });
});
