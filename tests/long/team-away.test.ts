import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { source } from "../support/code-project.ts";
import { makeRemote } from "../support/git-remote.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { askServer, openTeamProcesses } from "../support/team-processes.ts";

const WAIT = { timeout: 250_000, interval: 100 };
const AWAY_MS = 60_000;
const CALLS: readonly (readonly [
  tool: string,
  input: Readonly<Record<string, unknown>>,
  expected: string,
])[] = [
  ["search_code", { query: "Alpha" }, "Alpha"],
  ["documents_search", { query: "night" }, "docs/alpha.md"],
  ["pack", { task: "change Alpha" }, "a.go"],
];

describeWithPostgres("a team's server without its database", (postgres) => {
  test("for a minute every call is answered from what is here and says for how long, then a push arrives", async () => {
    const processes = await openTeamProcesses(await postgres().createDatabase());
    await using _processes = processes;
    using remote = makeRemote("api", {
      "a.go": source("Alpha"),
      "docs/alpha.md": "# Alpha\n\nIt does it at night.\n",
    });
    processes.run("projects", "add", remote.url, "--name", "api");
    const { token } = JSON.parse(processes.run("team", "tokens", "add", "ana", "--json"));
    processes.run("team", "grant", "ana", "read");
    await processes.startWorker("worker", "--poll-minutes", "0.05");
    const { port } = await processes.startServer("one");
    const ask = async ([tool, input, expected]: (typeof CALLS)[number]) => {
      const { status, body, notice } = await askServer(port, token, tool, input);
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining(expected)]);
      return Number(/away for (\d+) s/.exec(notice)?.[1] ?? 0);
    };
    for (const call of CALLS) await vi.waitFor(() => ask(call), WAIT);
    await postgres().kill();
    const until = performance.now() + AWAY_MS;
    let told = 0;
    try {
      while (performance.now() < until) {
        for (const call of CALLS) told = Math.max(told, await ask(call));
        await pause(1_000);
      }
    } finally {
      await postgres().start();
    }
    expect(told).toBeGreaterThan(AWAY_MS / 2_000);
    remote.push({ "b.go": source("Beta") });
    await vi.waitFor(async () => {
      expect(await ask(["search_code", { query: "Beta" }, "Beta"])).toBe(0);
    }, WAIT);
  }, 900_000);
});
