import { createHmac } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { grantRole, revokeToken } from "../../src/capabilities/team/access/tokens.ts";
import { removeProject } from "../../src/capabilities/team/projects/projects.ts";
import { openProject, source } from "../support/code-project.ts";
import { makeRemote } from "../support/git-remote.ts";
import { madeUp } from "../support/made-up.ts";
import { query } from "../support/postgres-server.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { openTestTeam, WEBHOOK_SECRET } from "../support/team-server.ts";

const WAIT = { timeout: 200_000, interval: 50 };
/** Somebody has committed it. */
const KEY = `ghp_${madeUp(36)}`;
const API = {
  "go.mod": "module example.org/api\n",
  "a.go": source("Alpha"),
  "b.go": source("Beta"),
  "key.go": `package p\n\n// OpenShop opens it.\nfunc OpenShop() string { return "${KEY}" }\n`,
};
const SECRET = {
  "plans.go": source("SecretPlans"),
  "alpha.go": source("AlphaPlans"),
  "docs/plan.md": "# Plan\n\nIt does it in the HiddenDocument.\n",
  ".context-teleport/manifest.json": '{"schema_version":"0.4.0"}',
  ".context-teleport/knowledge/alpha.md": "It does it, says the HiddenEntry.\n",
  ".context.yaml":
    'version: 1\nscope: .\nsummary: A HiddenDirectory of plans.\nlast_updated: "2026-01-02T03:04:05Z"\nfingerprint: "00000000"\nmaintenance: Keep it short.\n',
};

type Team = Awaited<ReturnType<typeof openTestTeam>>;
type Server = Awaited<ReturnType<Team["startServer"]>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const callTool = async (server: Server, token: string, name: string, input: unknown) => {
  const response = await server.fetch(`/tools/${name}`, {
    method: "POST",
    headers: { ...bearer(token), "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return { status: response.status, headers: response.headers, body: Object(await response.json()) };
};
const callMcp = async (server: Server, token: string, method: string, params: unknown) => {
  const response = await server.fetch("/mcp", {
    method: "POST",
    headers: {
      ...bearer(token),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return `${response.status} ${await response.text()}`;
};
/** What a reader of events has heard: the name of each with its project and commit. */
async function openEvents(server: Server, token: string) {
  const response = await server.fetch("/events", { headers: bearer(token) });
  let text = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })();
  await vi.waitFor(() => expect(text).toContain("hello"), WAIT);
  const heard = () =>
    [...text.matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data = ""]) => {
      const { project, commit = "" } = JSON.parse(data);
      return project === undefined ? event : `${event} ${project} ${commit}`;
    });
  return { heard, ended: reading };
}
const withoutTimes = (value: unknown) =>
  JSON.stringify(value).replaceAll(/"search_duration_ms":[\d.]+|in \d+ms|"published_at":"[^"]*"/g, "");

describeWithPostgres("a team's server", (postgres) => {
  /** Two projects in two groups, both published, and a server. */
  async function openTwoProjects() {
    const team = await openTestTeam(postgres());
    const remotes = { api: makeRemote("api", API), secret: makeRemote("secret", SECRET) };
    await team.add({ url: remotes.api.url, name: "shop/api", group: "shop" });
    await team.add({ url: remotes.secret.url, name: "secret/plans", group: "secret" });
    team.startWorker();
    await untilPublished(team);
    const server = await team.startServer("one");
    return {
      team,
      remotes,
      server,
      async [Symbol.asyncDispose]() {
        await team[Symbol.asyncDispose]();
        for (const remote of Object.values(remotes)) remote[Symbol.dispose]();
      },
    };
  }
  let shared: ReturnType<typeof openTwoProjects> | undefined;
  /** The same for all tests that only read. Each has tokens of its own. */
  const sharedProjects = () => {
    shared ??= openTwoProjects();
    return shared;
  };
  afterAll(async () => (await shared)?.[Symbol.asyncDispose]());
  const untilPublished = (team: Team) =>
    vi.waitFor(
      async () =>
        expect((await team.list()).filter(({ commit, waiting }) => commit === null || waiting)).toEqual([]),
      WAIT,
    );
  /** Servers ask the database for news all the time. A token may be known before its grant is. */
  const untilKnown = (server: Server, token: string, atLeast = 1) =>
    vi.waitFor(async () => {
      const { status, body } = await callTool(server, token, "list_projects", {});
      expect(status).toBe(200);
      expect(body.projects.length).toBeGreaterThanOrEqual(atLeast);
    }, WAIT);

  test("one project is searched with the bytes of the embedded index", async () => {
    const place = await sharedProjects();
    const token = await place.team.token("ben", { group: "shop" });
    await untilKnown(place.server, token);
    await using embedded = openProject(API);
    embedded.git("init", "-q");
    await embedded.index();
    for (const [asked, input] of [
      ["Beta", {}],
      ["does it", { limit: 1 }],
      ["Nobody", { search_mode: "keyword" }],
      ["OpenShop", {}],
    ] as const) {
      const here = await embedded.search(asked, { search_mode: "hybrid", ...input });
      const there = await callTool(place.server, token, "search_code", {
        query: asked,
        project: "shop/api",
        ...input,
      });
      expect(withoutTimes(there.body.results)).toBe(withoutTimes(here.results));
      expect(there.headers.get("contextful-notice")).toMatch(/^Published at commit [0-9a-f]{12}/);
    }
    const outline = await callTool(place.server, token, "outline", { project: "shop/api", path: "a.go" });
    expect(JSON.stringify(outline.body)).toContain("Alpha");
  });

  test("all visible projects are searched at once, and each hit says its project and commit", async () => {
    const place = await sharedProjects();
    const [ana, all] = [
      await place.team.token("cleo", { group: "shop" }),
      await place.team.token("dora", {}),
    ];
    await untilKnown(place.server, all);
    const found = (body: { results: { project: string; commit: string; symbol: { name: string } }[] }) =>
      body.results.map(({ project, symbol }) => `${project} ${symbol.name}`);
    const both = await callTool(place.server, all, "search_code", { query: "Alpha" });
    expect(found(both.body)).toEqual(["shop/api Alpha", "secret/plans AlphaPlans"]);
    const commits = Object.fromEntries((await place.team.list()).map(({ name, commit }) => [name, commit]));
    for (const { project, commit } of both.body.results) expect(commit).toBe(commits[project]);
    const named = await callTool(place.server, all, "search_code", {
      query: "Alpha",
      projects: ["secret/plans"],
    });
    expect(found(named.body)).toEqual(["secret/plans AlphaPlans"]);
    const mine = await callTool(place.server, ana, "search_code", { query: "Alpha" });
    expect(JSON.stringify(mine.body)).not.toContain("Plans");
  });

  test("a secret in the code is redacted in every answer, about one project or all", async () => {
    const place = await sharedProjects();
    const token = await place.team.token("emil", {});
    await untilKnown(place.server, token, 2);
    for (const name of ["search_code", "code_search"])
      for (const project of [{ project: "shop/api" }, {}]) {
        const input = { query: "OpenShop", ...project };
        const answers = [
          JSON.stringify((await callTool(place.server, token, name, input)).body),
          await callMcp(place.server, token, "tools/call", { name, arguments: input }),
        ];
        for (const answer of answers) {
          expect(answer).toContain("[redacted: github");
          expect(answer).not.toContain(KEY);
        }
      }
  });

  test("no tool, route or event tells a token anything of another project", async () => {
    const place = await sharedProjects();
    const { team, server, remotes } = place;
    const tokens = {
      ana: await team.token("ana", { project: "shop/api" }),
      nobody: await team.token("nobody"),
    };
    await untilKnown(server, tokens.nobody, 0);
    const [hidden] = (await team.list()).filter(({ name }) => name === "secret/plans");
    const telling = [
      "SecretPlans",
      "plans.go",
      "AlphaPlans",
      "HiddenDocument",
      "HiddenEntry",
      "HiddenDirectory",
      hidden?.commit ?? "?",
      remotes.secret.url,
    ];
    const owner = await team.token("owner", { project: "secret/plans" });
    await untilKnown(server, owner);
    const owned = (name: string, input: unknown) => callTool(server, owner, name, input);
    const hiddenDocument = (await owned("context.search", { query: "HiddenDocument" })).body.results[0]?.id;
    const inputOf = (project: string | undefined) => ({
      project,
      query: "does it",
      task: "does it",
      symbol: "Alpha",
      path: ".",
      scope: ".",
      dotpath: "knowledge.alpha",
      key: "alpha",
      entry_type: "knowledge",
      skill_name: "alpha",
      id: hiddenDocument,
    });
    // What follows would find it, if it could.
    for (const name of ["context.get", "context_get", "query_context", "context_pack"])
      expect(JSON.stringify((await owned(name, inputOf("secret/plans"))).body)).toMatch(/Hidden[A-Z]/);
    const { tools } = Object(await (await server.fetch("/tools", { headers: bearer(tokens.ana) })).json());
    const names: string[] = tools.map(({ name }: { name: string }) => name);
    const known = [
      "search_code",
      "list_projects",
      "outline",
      "context.search",
      "memory_search",
      "context_pack",
    ];
    expect(names).toEqual(expect.arrayContaining(known));
    const writing = ["context_add_knowledge", "context_set", "context_sync_push"];
    expect(names).toEqual(expect.arrayContaining(writing));
    const expectSilent = (texts: readonly unknown[], words: readonly string[]) => {
      for (const word of words) expect(JSON.stringify(texts)).not.toContain(word);
    };
    /** The bytes are the same but for the name that the caller gave. */
    const expectSame = async (ask: (project: string) => Promise<unknown>) => {
      const [secret, absent] = [await ask("secret/plans"), await ask("absent/plans")];
      const unnamed = (answer: unknown) =>
        JSON.stringify(answer).replaceAll(/(?:secret|absent)\/plans/g, "NAME");
      expect(unnamed(secret)).toBe(unnamed(absent));
      expectSilent([secret], telling);
    };
    const overHttp = async (token: string, name: string, input: unknown) => {
      const { status, headers, body } = await callTool(server, token, name, input);
      return [status, [...headers], body];
    };
    const tryTool = async (token: string, name: string) => {
      await expectSame((project) => overHttp(token, name, inputOf(project)));
      await expectSame((project) =>
        overHttp(token, name, { ...inputOf(undefined), projects: ["shop/api", project] }),
      );
      await expectSame((project) =>
        callMcp(server, token, "tools/call", { name, arguments: inputOf(project) }),
      );
    };
    const tryOffers = async (token: string) => {
      for (const uri of ["context://summary", "context://knowledge/alpha", "context://nothing"])
        await expectSame((project) =>
          callMcp(server, token, "resources/read", { uri: `${uri}?project=${project}` }),
        );
      for (const name of ["context_onboarding", "context_handoff", "nothing"])
        await expectSame((project) =>
          callMcp(server, token, "prompts/get", { name, arguments: { project } }),
        );
    };
    const { tools: shown } = Object(
      await (await server.fetch("/page/session", { headers: bearer(tokens.ana) })).json(),
    );
    const ofPage: string[] = shown.filter((name: string) =>
      /^(memory|documents|page)_.*(list|stats)$/.test(name),
    );
    expect(ofPage).toEqual(
      expect.arrayContaining(["memory_knowledge_list", "memory_decision_list", "documents_stats"]),
    );
    const overPage = async (token: string, name: string, project: string) => {
      const headers = { ...bearer(token), "content-type": "application/json", "contextful-page": "team" };
      const body = JSON.stringify({ project });
      const response = await server.fetch(`/page/tools/${name}`, { method: "POST", headers, body });
      return [response.status, [...response.headers], await response.text()];
    };
    expect(JSON.stringify(await overPage(owner, "memory_knowledge_list", "secret/plans"))).toContain(
      "HiddenEntry",
    );
    const routes = ["/tools", "/openapi.json", "/metrics", "/", "/page/session", "/tools/list_projects"];
    const methods = [
      "tools/list",
      "resources/list",
      "resources/templates/list",
      "prompts/list",
      "server/discover",
    ];
    for (const token of Object.values(tokens)) {
      for (const name of names) await tryTool(token, name);
      for (const name of ofPage) await expectSame((project) => overPage(token, name, project));
      await tryOffers(token);
      for (const path of routes) {
        const response = await server.fetch(path, { headers: bearer(token) });
        expectSilent([[...response.headers], await response.text()], [...telling, "secret/plans"]);
      }
      for (const method of methods)
        expectSilent([await callMcp(server, token, method, {})], [...telling, "secret/plans"]);
    }
    const seen = await callTool(server, tokens.nobody, "list_projects", {});
    expect(seen.body).toEqual({ projects: [] });
    await vi.waitFor(async () => {
      const text =
        "SELECT DISTINCT target FROM contextful_team.audit WHERE outcome = 'denied' AND actor = 'ana'";
      expect(await query(team.url, text)).toEqual(
        expect.arrayContaining([{ target: "secret/plans" }, { target: "absent/plans" }]),
      );
    }, WAIT);
  });

  test("resources and prompts of team memory are those of the projects that a token sees", async () => {
    const place = await sharedProjects();
    const { team, server } = place;
    const [owner, all] = [await team.token("fay", { group: "secret" }), await team.token("gus", {})];
    await untilKnown(server, all, 2);
    const listed = await callMcp(server, owner, "resources/list", {});
    expect(listed).toContain("context://knowledge?project=secret%2Fplans");
    expect(listed).not.toContain("shop");
    const templates = await callMcp(server, owner, "resources/templates/list", {});
    expect(templates).toContain("context://knowledge/{key}{?project}");
    const read = (token: string, uri: string) => callMcp(server, token, "resources/read", { uri });
    for (const uri of ["context://knowledge/alpha?project=secret%2Fplans", "context://knowledge/alpha"])
      expect(await read(owner, uri)).toContain("says the HiddenEntry");
    expect(await read(all, "context://knowledge/alpha")).toContain("Name the project");
    expect(await read(all, "context://knowledge/alpha?project=shop/api")).not.toContain("HiddenEntry");
    const onboarding = { name: "context_onboarding", arguments: { project: "secret/plans" } };
    expect(await callMcp(server, all, "prompts/get", onboarding)).toContain("HiddenEntry");
    expect(await callMcp(server, all, "prompts/list", {})).not.toContain("context_resolve_conflicts");
  });

  test("events tell of new generations, and of projects that a token gets and loses", async () => {
    await using place = await openTwoProjects();
    const { team, server, remotes } = place;
    const tokens = [
      await team.token("ana", { project: "shop/api" }),
      await team.token("owner", { group: "secret" }),
    ] as const;
    await untilKnown(server, tokens[1]);
    const [ana, owner] = [await openEvents(server, tokens[0]), await openEvents(server, tokens[1])];
    const commit = remotes.api.push({ "c.go": source("Gamma") });
    await query(team.url, "UPDATE contextful_team.projects SET requested_at = now(), checked_at = NULL");
    team.startWorker();
    await vi.waitFor(() => expect(ana.heard()).toEqual(["hello", `published shop/api ${commit}`]), WAIT);
    const text = "SELECT commit FROM contextful_team.projects WHERE name = 'secret/plans'";
    const { commit: hidden } = Object((await query(team.url, text))[0]);
    await grantRole(team.database, { token: "ana", role: "read", group: "secret" }, "ana");
    await vi.waitFor(() => expect(ana.heard().at(-1)).toBe(`added secret/plans ${hidden}`), WAIT);
    await removeProject(team.database, "secret/plans", "ana");
    await vi.waitFor(() => expect(ana.heard().at(-1)).toBe("removed secret/plans "), WAIT);
    await revokeToken(team.database, "ana", "ana");
    await ana.ended;
    server.team.endEvents();
    await owner.ended;
    expect(owner.heard()).toEqual(["hello", "removed secret/plans "]);
  });

  test("a token for one branch of a repository learns nothing of another", async () => {
    await using team = await openTestTeam(postgres());
    using remote = makeRemote("api", API);
    remote.push(
      { "plans.go": source("SecretPlans"), "docs/plan.md": "# Plan\n\nHiddenDocument\n" },
      "secret",
    );
    await team.add({ url: remote.url, name: "api", branch: "main" });
    await team.add({ url: remote.url, name: "secret", branch: "secret" });
    team.startWorker();
    await untilPublished(team);
    const server = await team.startServer("one");
    const [ana, owner] = [
      await team.token("ana", { project: "api" }),
      await team.token("owner", { project: "secret" }),
    ];
    await untilKnown(server, owner);
    const answers = async (token: string) => [
      (await callTool(server, token, "search_code", { query: "SecretPlans" })).body.results.map(
        ({ symbol }: { symbol: { name: string } }) => symbol.name,
      ),
      (await callTool(server, token, "context.search", { query: "HiddenDocument" })).body.results.length,
    ];
    expect(await answers(owner)).toEqual([expect.arrayContaining(["SecretPlans"]), 1]);
    expect(await answers(ana)).toEqual([expect.not.arrayContaining(["SecretPlans"]), 0]);
  });

  test("documents, memory, directories and packs of a project are served, and writing is refused", async () => {
    const place = await sharedProjects();
    const token = await place.team.token("hans", { group: "secret" });
    await untilKnown(place.server, token);
    const ask = (name: string, input: unknown) => callTool(place.server, token, name, input);
    const [documents, memory, directory, pack] = [
      await ask("documents_search", { query: "document", project: "secret/plans" }),
      await ask("memory_search", { query: "says" }),
      await ask("directory_context", {}),
      await ask("pack", { task: "does it" }),
    ];
    expect(documents.body.results[0]?.source_id).toBe("docs/plan.md");
    expect(documents.headers.get("contextful-notice")).toMatch(/^Published at commit [0-9a-f]{12}/);
    expect(memory.body[0]?.key).toBe("alpha");
    expect(directory.body.context.summary).toBe("A HiddenDirectory of plans.");
    expect(pack.body.markdown).toContain("HiddenEntry");
    const written = await ask("context_add_knowledge", { key: "k", content: "x" });
    expect([written.status, JSON.stringify(written.body)]).toEqual([
      409,
      expect.stringContaining("A team's server only reads."),
    ]);
    const listed = await callMcp(place.server, token, "tools/list", {});
    expect(listed).toContain("context_pack");
  });

  test("without a token, or with a wrong one, every route but the health check gives the same refusal", async () => {
    await using team = await openTestTeam(postgres());
    const server = await team.startServer("one");
    const wrong = { authorization: `Bearer ctx_0000000000000000_${"a".repeat(43)}` };
    const answers = new Set<string>();
    for (const path of [
      "/page/session",
      "/page/tools/memory_knowledge_list",
      "/tools",
      "/tools/search_code",
      "/mcp",
      "/openapi.json",
      "/metrics",
      "/nowhere",
    ]) {
      for (const headers of [{}, wrong]) {
        const response = await server.fetch(path, { headers });
        answers.add(`${response.status} ${await response.text()}`);
      }
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 /)]);
    expect((await server.fetch("/healthz")).status).toBe(200);
  });

  test("a push reaches the server: webhook, worker, publication", async () => {
    await using place = await openTwoProjects();
    const { team, server, remotes } = place;
    const token = await team.token("ana", { project: "shop/api" });
    await untilKnown(server, token);
    await callTool(server, token, "search_code", { query: "Alpha" });
    remotes.api.push({ "c.go": source("Gamma") });
    const body = JSON.stringify({ repository: { clone_url: remotes.api.url } });
    const signed = `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")}`;
    const send = (signature: string) =>
      server.fetch("/webhooks", { method: "POST", headers: { "x-hub-signature-256": signature }, body });
    expect((await send("sha256=00")).status).toBe(401);
    expect((await send(signed)).status).toBe(202);
    await vi.waitFor(async () => {
      const { body: answer } = await callTool(server, token, "search_code", { query: "Gamma" });
      expect(answer.results[0]?.symbol.name).toBe("Gamma");
    }, WAIT);
  });

  test("a search over too many projects is refused, and says how to choose", async () => {
    await using team = await openTestTeam(postgres());
    await query(
      team.url,
      "INSERT INTO contextful_team.projects (name, url) SELECT 'p' || n, 'file:///none' FROM generate_series(1, 201) AS n",
    );
    const server = await team.startServer("one");
    const token = await team.token("ana", {});
    await untilKnown(server, token);
    const refused = await callTool(server, token, "search_code", { query: "Alpha" });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining("at most 200 projects, and these are 201"),
    ]);
    const named = await callTool(server, token, "search_code", { query: "Alpha", projects: ["p1", "p2"] });
    expect(named.status).toBe(200);
  });

  test("metrics are for an administrator of everything", async () => {
    await using team = await openTestTeam(postgres());
    const server = await team.startServer("one");
    const [admin, reader] = [await team.token("root", { role: "admin" }), await team.token("ana", {})];
    await untilKnown(server, reader, 0);
    expect((await server.fetch("/metrics", { headers: bearer(reader) })).status).toBe(404);
    await vi.waitFor(async () => {
      const response = await server.fetch("/metrics", { headers: bearer(admin) });
      expect(await response.text()).toMatch(/contextful_requests_total\{route="tools",status="200"\} \d/);
    }, WAIT);
  });

  test("while the database is away, a server answers from what it has and says so", async () => {
    await using place = await openTwoProjects();
    const { team, server } = place;
    const token = await team.token("ana", { group: "shop" });
    await untilKnown(server, token);
    await callTool(server, token, "search_code", { query: "Alpha" });
    await postgres().kill();
    try {
      await vi.waitFor(async () => {
        const { status, headers, body } = await callTool(server, token, "search_code", { query: "Beta" });
        expect([status, body.results?.[0]?.symbol.name]).toEqual([200, "Beta"]);
        expect(headers.get("contextful-notice")).toMatch(/database has been away for \d+ s/);
      }, WAIT);
      expect(await (await server.fetch("/healthz")).json()).toMatchObject({ database: "away" });
    } finally {
      await postgres().start();
    }
    await vi.waitFor(
      async () => expect(await (await server.fetch("/healthz")).json()).toMatchObject({ database: "ok" }),
      WAIT,
    );
  });
});
