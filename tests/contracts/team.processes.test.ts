import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { source } from "../support/code-project.ts";
import { makeRemote } from "../support/git-remote.ts";
import { query } from "../support/postgres-server.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { askServer, openTeamProcesses } from "../support/team-processes.ts";

const WAIT = { timeout: 250_000, interval: 100 };

describeWithPostgres("a team's processes", (postgres) => {
  async function openShop() {
    const url = await postgres().createDatabase();
    const processes = await openTeamProcesses(url);
    const remote = makeRemote("api", { "a.go": source("Alpha") });
    processes.run("projects", "add", remote.url, "--name", "shop/api");
    const { token } = JSON.parse(processes.run("team", "tokens", "add", "ana", "--json"));
    processes.run("team", "grant", "ana", "read", "--project", "shop/api");
    return {
      url,
      processes,
      remote,
      token: String(token),
      /** Waits until a server finds this symbol. */
      untilFound: (port: number, name: string) =>
        vi.waitFor(async () => {
          const { status, body } = await askServer(port, token, "search_code", { query: name });
          expect([status, body.results?.[0]?.symbol.name]).toEqual([200, name]);
        }, WAIT),
      async [Symbol.asyncDispose]() {
        await processes[Symbol.asyncDispose]();
        remote[Symbol.dispose]();
      },
    };
  }

  test("commands, workers and two servers work together, and a server drains when it is told to end", async () => {
    await using shop = await openShop();
    const { processes, remote } = shop;
    await processes.startWorker("worker");
    const one = await processes.startServer("one", "--webhook-secret-file", processes.secretFile);
    const two = await processes.startServer("two");
    for (const { port } of [one, two]) await shop.untilFound(port, "Alpha");
    remote.push({ "b.go": source("Beta") });
    await fetch(`http://127.0.0.1:${one.port}/webhooks`, {
      method: "POST",
      headers: { "x-gitlab-token": processes.secret },
      body: JSON.stringify({ project: { git_http_url: remote.url } }),
    });
    for (const { port } of [one, two]) await shop.untilFound(port, "Beta");
    expect(processes.run("projects", "list")).toMatch(/^shop\/api {2}[0-9a-f]{12} published /);
    expect(processes.run("team", "tokens", "list")).toContain("read project shop/api");
    expect(processes.run("team", "doctor")).toMatch(/^ok {2}projects: 1 registered, 1 published\n/);
    expect(await two.end("SIGTERM")).toBe(0);
    expect(one.said()).toMatch(
      /\{"time":"[^"]+","level":"info","method":"POST","path":"\/tools\/search_code","status":200,/,
    );
    processes.run("team", "tokens", "revoke", "ana");
    await vi.waitFor(async () => {
      expect((await askServer(one.port, shop.token, "list_projects", {})).status).toBe(401);
    }, WAIT);
  });

  test("a laptop logs in and starts from the team's index, and agents ask for documents, memory and packs", async () => {
    await using shop = await openShop();
    const { processes, remote, token } = shop;
    remote.push({
      "docs/alpha.md": "# Alpha\n\nAlpha does it every night.\n",
      ".context-teleport/manifest.json": '{"schema_version":"0.4.0"}',
      ".context-teleport/conventions/alpha.md": "Alpha never waits.\n",
    });
    await processes.startWorker("worker");
    const { port } = await processes.startServer("one");
    await shop.untilFound(port, "Alpha");
    const documents = await askServer(port, token, "documents_search", { query: "every night" });
    expect(documents.body.results[0]?.source_id).toBe("docs/alpha.md");
    const pack = await askServer(port, token, "pack", { task: "make Alpha wait" });
    expect(pack.body.markdown).toContain("Alpha never waits.");
    const refused = await askServer(port, token, "context_add_knowledge", { key: "k", content: "x" });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      409,
      expect.stringContaining("only reads"),
    ]);

    const file = join(processes.directory, "token.txt");
    writeFileSync(file, token);
    const server = `http://127.0.0.1:${port}`;
    // The address that agents use is taken too.
    const login = processes.run("team", "login", `${server}/mcp`, "--token-file", file);
    expect(login).toContain("you may read 1 project.");
    expect(login).toContain(`[team]\nurl = "${server}"`);
    const clone = join(processes.directory, "clone");
    execFileSync("git", ["clone", "-q", remote.url, clone]);
    processes.configure("person", `[team]\nurl = "${server}"\n`);
    expect(processes.tell("code", "index", clone)).toContain(
      "starts from the team's index, 0 changed files away",
    );
  });

  test("a worker that is killed while it indexes loses nothing: another one publishes", async () => {
    await using shop = await openShop();
    const { processes, url } = shop;
    const first = await processes.startWorker("first");
    // It has begun: it holds the lease.
    await vi.waitFor(
      async () => {
        const text = "SELECT name FROM contextful.leases WHERE name LIKE 'index-%' AND expires_at > now()";
        expect(await query(url, text)).toHaveLength(1);
      },
      { ...WAIT, interval: 5 },
    );
    await first.end("SIGKILL");
    await processes.startWorker("second");
    const server = await processes.startServer("one");
    await shop.untilFound(server.port, "Alpha");
    await server.end("SIGKILL");
    const again = await processes.startServer("one");
    await shop.untilFound(again.port, "Alpha");
  });
});
