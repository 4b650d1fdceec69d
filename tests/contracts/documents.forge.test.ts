import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/core/config/load.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { makeRemote } from "../support/git-remote.ts";
import { tempDir } from "../support/temp-dir.ts";
import { documentsProject, reasons } from "./documents-project.ts";
import { githubIssue, gitlabIssue, startForge } from "./forge-server.ts";

const TOKEN = "not-a-real-token";
const settings = (forge: string, section: object) => ({
  connectors: {
    [forge]: { pumps: { allow_private_addresses: true, token_env: "FORGE_TOKEN", ...section } },
  },
  embedding: { provider: "disabled" },
});
/** A day after the issues below; a test may go on to the next day. */
const NOON = new Date("2026-04-01T12:00:00Z");
const openProject = (
  forge: string,
  section: object,
  now = () => NOON,
  info: (line: string) => void = () => {},
) =>
  documentsProject(settings(forge, section), {
    env: { FORGE_TOKEN: TOKEN },
    now,
    logger: { ...silentLogger, info },
  });

describe("github", () => {
  const REPOSITORY = "/repos/acme/pumps";
  const section = (url: string) => ({ repository: "acme/pumps", url });
  const pull = (number: number, updated: string, more: object = {}) =>
    githubIssue(number, updated, { pull_request: { url: "x" }, title: `Pull ${number}`, ...more });

  test("issues and pull requests are documents with their comments, from all pages", async () => {
    await using forge = await startForge();
    forge.put(`${REPOSITORY}/issues`, [
      githubIssue(3, "2026-03-03T00:00:00Z", { comments: 1 }),
      pull(2, "2026-03-02T00:00:00Z"),
      githubIssue(1, "2026-03-01T00:00:00Z", { body: null, user: null, labels: ["old"] }),
    ]);
    forge.put(`${REPOSITORY}/issues/3/comments`, [
      { id: 1, body: "The heron did it.", user: { login: "ben" }, created_at: "2026-03-02T10:00:00Z" },
    ]);
    forge.put(`${REPOSITORY}/pulls/2/comments`, [
      { id: 2, body: "Why twice?", path: "valve.ts", user: null, created_at: "2026-03-02T11:00:00Z" },
    ]);
    await using project = openProject("github", section(forge.origin));
    const [report] = await project.sync();
    expect([report?.status, report?.written]).toEqual(["ok", 3]);
    const [heron] = await project.search("heron", { filters: { tags: ["bug"] } });
    expect(await project.get(heron?.id ?? "")).toMatchObject({
      source: "github:pumps",
      source_id: "issues/3",
      title: "#3 Issue 3",
      author: "ada",
      source_url: "https://github.com/acme/pumps/issues/3",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-03-03T00:00:00Z",
      body: "# #3 Issue 3\n\nBody of 3.\n\nState: closed (completed)\n\n## ben, 2026-03-02\n\nThe heron did it.\n",
    });
    expect(await project.found("valve.ts twice")).toEqual(["pulls/2"]);
    expect(forge.requests.every(({ token }) => token === `Bearer ${TOKEN}`)).toBe(true);
  });

  test("a later sync asks for what was updated since and reads only that", async () => {
    await using forge = await startForge();
    forge.put(`${REPOSITORY}/issues`, [githubIssue(1, "2026-03-01T00:00:00Z")]);
    await using project = openProject("github", section(forge.origin));
    const [first] = await project.sync();
    const later = new Date(NOON.getTime() + 60_000).toISOString();
    forge.put(`${REPOSITORY}/issues`, [
      githubIssue(2, later, { title: "A new one", comments: 1 }),
      githubIssue(1, "2026-03-01T00:00:00Z", { comments: 1 }),
    ]);
    forge.put(`${REPOSITORY}/issues/2/comments`, []);
    const before = forge.requests.length;
    const [second] = await project.sync();
    expect([second?.found, second?.written, second?.removed]).toEqual([1, 1, 0]);
    const [list, ...others] = forge.requests.slice(before);
    expect(list?.query.get("since")).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(others.map(({ path }) => path)).toEqual([`${REPOSITORY}/issues/2/comments`]);
    forge.put(`${REPOSITORY}/issues`, [githubIssue(2, later)]);
    const [full] = await project.sync({ full: true });
    expect([full?.found, full?.removed]).toEqual([1, 1]);
    expect([first, second, full].map((run) => run?.only_updated)).toEqual([false, true, false]);
  });

  test("the first sync of a day removes what was deleted and reads nothing again", async () => {
    await using forge = await startForge();
    const issues = [1, 2].map((number) => githubIssue(number, "2026-03-01T00:00:00Z", { comments: 1 }));
    forge.put(`${REPOSITORY}/issues`, issues);
    for (const number of [1, 2]) forge.put(`${REPOSITORY}/issues/${number}/comments`, []);
    let now = NOON;
    await using project = openProject("github", section(forge.origin), () => now);
    await project.sync();
    forge.put(`${REPOSITORY}/issues`, issues.slice(1));
    const [sameDay] = await project.sync();
    now = new Date(NOON.getTime() + 24 * 3_600_000);
    const before = forge.requests.length;
    const [nextDay] = await project.sync();
    expect([sameDay?.removed, nextDay?.removed, nextDay?.unchanged]).toEqual([0, 1, 1]);
    expect(forge.requests.slice(before).map(({ path }) => path)).toEqual([`${REPOSITORY}/issues`]);
  });

  test("a short limit is waited for, a long one ends the run, and the next goes on", async () => {
    await using forge = await startForge();
    const issues = [1, 2].map((number) => githubIssue(number, "2026-03-01T00:00:00Z", { comments: 1 }));
    forge.put(`${REPOSITORY}/issues`, issues);
    for (const number of [1, 2]) forge.put(`${REPOSITORY}/issues/${number}/comments`, []);
    const told: string[] = [];
    await using project = openProject(
      "github",
      section(forge.origin),
      undefined,
      (line) => void told.push(line),
    );
    const reset = String(Math.floor(Date.now() / 1_000) + 3_600);
    forge.instead.push(
      { status: 429, headers: { "retry-after": "0" }, body: { message: "secondary rate limit" } },
      { body: issues },
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }, body: {} },
    );
    const [limited] = await project.sync();
    expect(told).toEqual(["github:pumps: too many requests; goes on in 0 s"]);
    expect([limited?.status, limited?.failed]).toEqual(["partial", 2]);
    expect(reasons(limited)["issues/1"]).toMatch(/^the rate limit is used up; sync again after \d{4}-/);
    // Once the limit is used up, nothing more is asked.
    expect(forge.requests).toHaveLength(3);
    const [next] = await project.sync();
    expect([next?.status, next?.written]).toEqual(["ok", 2]);
  });

  test("pages without end and a limit after the end of time end the run", async () => {
    await using forge = await startForge();
    await using project = openProject("github", section(forge.origin));
    const next = { link: `<${forge.origin}${REPOSITORY}/issues>; rel="next"` };
    forge.instead.push(...Array.from({ length: 20 }, () => ({ headers: next, body: [] })));
    await project.sync();
    expect(forge.requests).toHaveLength(1);
    forge.instead.length = 0;
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9".repeat(30) };
    forge.instead.push({ status: 403, headers, body: {} });
    expect(reasons((await project.sync())[0])[""]).toContain("sync again after 2026-04-02T12:00:00Z");
  });

  describe("its wiki", () => {
    const WIKI = "/acme/pumps.wiki.git";
    const withWiki = (url: string) => ({ ...section(url), include: ["issues", "wiki"] });

    test("is read from its repository, with links to its pages, and followed", async () => {
      await using forge = await startForge();
      using wiki = makeRemote("wiki", { "Home.md": "Welcome.", "Valve-care.md": "Oil the valve monthly." });
      wiki.push({ "Home.md": "Welcome, all." }, "master");
      const bare = fileURLToPath(wiki.url);
      execFileSync("git", ["symbolic-ref", "HEAD", "refs/heads/master"], { cwd: bare });
      forge.put(`${REPOSITORY}/issues`, [githubIssue(1, "2026-03-01T00:00:00Z")]);
      forge.serve(WIKI, bare);
      let now = NOON;
      await using project = openProject("github", withWiki(forge.origin), () => now);
      const [first] = await project.sync();
      expect([first?.status, first?.written, reasons(first)]).toEqual(["ok", 3, {}]);
      expect(await project.search("oil valve")).toMatchObject([
        {
          source: "github:pumps",
          source_id: "wiki/Valve-care.md",
          title: "Valve care",
          source_url: `${forge.origin}/acme/pumps/wiki/Valve-care`,
        },
      ]);
      const login = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
      const asked = forge.requests.filter(({ path }) => path.startsWith(WIKI));
      expect(new Set(asked.map(({ token }) => token))).toEqual(new Set([`Basic ${login}`]));
      wiki.push({ "Valve-care.md": undefined, "Herons.md": "Keep herons away." }, "master");
      forge.serve(WIKI, bare);
      now = new Date(NOON.getTime() + 24 * 3_600_000);
      const [second] = await project.sync();
      expect([second?.written, second?.removed, second?.unchanged]).toEqual([1, 1, 2]);
    });

    test("that does not exist is a problem; the issues are read", async () => {
      await using forge = await startForge();
      forge.put(`${REPOSITORY}/issues`, [githubIssue(1, "2026-03-01T00:00:00Z")]);
      await using project = openProject("github", withWiki(forge.origin));
      const [report] = await project.sync();
      expect([report?.status, report?.written]).toEqual(["partial", 1]);
      expect(reasons(report)[""]).toMatch(/^wiki of acme\/pumps: fatal: /);
    });

    test("gets no token through a redirect to another host", async () => {
      await using forge = await startForge();
      await using other = await startForge();
      forge.put(`${REPOSITORY}/issues`, []);
      forge.instead.push(
        { body: [] },
        { status: 302, headers: { location: `${other.origin}${WIKI}/info/refs` }, body: {} },
      );
      await using project = openProject("github", withWiki(forge.origin));
      const [report] = await project.sync();
      expect([report?.status, other.requests]).toEqual(["partial", []]);
    });
  });

  test("the token is never sent to another host", async () => {
    await using forge = await startForge();
    await using other = await startForge();
    await using project = openProject("github", section(forge.origin));
    const away = `${other.origin}/repos/acme/pumps/issues`;
    forge.instead.push({ status: 301, headers: { location: away }, body: {} });
    const [redirected] = await project.sync();
    forge.instead.push({ headers: { link: `<${away}>; rel="next"` }, body: [] });
    const [linked] = await project.sync();
    for (const report of [redirected, linked]) expect(reasons(report)[""]).toContain("another host");
    expect(other.requests).toEqual([]);
  });

  test("a missing token, a refused one, a broken answer and a private address say what to do", async () => {
    await using forge = await startForge();
    const reasonWith = async (more: object, env: Record<string, string> = { FORGE_TOKEN: TOKEN }) => {
      await using project = documentsProject(settings("github", { ...section(forge.origin), ...more }), {
        env,
      });
      return reasons((await project.sync())[0])[""];
    };
    expect(await reasonWith({}, {})).toBe("github:pumps: set the token in FORGE_TOKEN");
    expect(await reasonWith({})).toBe(
      "github:pumps: acme/pumps: answers 404; check the repository and the token in FORGE_TOKEN",
    );
    expect(await reasonWith({ token_env: undefined })).toContain("needs token_env in your own config.toml");
    forge.instead.push({ body: { not: "a list" } });
    expect(await reasonWith({})).toContain("the answer is not a list");
    expect(await reasonWith({ allow_private_addresses: false })).toContain("is a private address");
  });

  test("hostile entries are left out, secrets are removed, and the newest are read up to a limit", async () => {
    await using forge = await startForge();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    forge.put(`${REPOSITORY}/issues`, [
      githubIssue(4, "2026-03-04T00:00:00Z", { body: `---\ntitle: Other\n---\nstork\u200b ${secret}` }),
      { number: "../../etc", title: 5 },
      githubIssue(2, "2026-03-02T00:00:00Z"),
      githubIssue(1, "2026-03-01T00:00:00Z"),
    ]);
    await using project = openProject("github", { ...section(forge.origin), max_items: 3 });
    const [report] = await project.sync();
    expect([report?.written, reasons(report)[""]]).toEqual([2, "of issues only the newest 3"]);
    const [stork] = await project.search("stork");
    expect(stork?.title).toBe("#4 Issue 4");
    expect((await project.get(stork?.id ?? "")).body).not.toMatch(/ghp_|\u200b/);
  });
});

test("gitlab: issues, merge requests and the wiki are documents, without notes of the system", async () => {
  await using forge = await startForge();
  const base = "/api/v4/projects/acme%2Fplant%2Fpumps";
  forge.put(`${base}/issues`, [gitlabIssue(1, "2026-03-01T00:00:00.000Z", { user_notes_count: 2 })]);
  forge.put(`${base}/issues/1/notes`, [
    {
      id: 1,
      body: "added ~bug label",
      author: { username: "ada" },
      created_at: "2026-03-01T00:00:00Z",
      system: true,
    },
    {
      id: 2,
      body: "The crane knows.",
      author: { username: "ben" },
      created_at: "2026-03-02T00:00:00Z",
      system: false,
    },
  ]);
  forge.put(`${base}/merge_requests`, [
    gitlabIssue(7, "2026-03-03T00:00:00.000Z", { title: "Close the valve" }),
  ]);
  forge.put(`${base}/wikis`, [
    { slug: "ops/valves", title: "Valves", format: "markdown", content: "# Valves\n\nTurn left." },
  ]);
  await using project = openProject("gitlab", { repository: "acme/plant/pumps", url: forge.origin });
  const [first] = await project.sync();
  const [second] = await project.sync();
  expect([first?.written, second?.written, second?.removed]).toEqual([3, 0, 0]);
  expect([
    await project.found("crane"),
    await project.found("close valve"),
    await project.found("turn left"),
    await project.found("label"),
  ]).toEqual([["issues/1"], ["merge_requests/7"], ["wiki/ops/valves"], []]);
  const [page] = await project.search("turn left");
  expect((await project.get(page?.id ?? "")).body).toBe("# Valves\n\nTurn left.\n");
  expect(forge.requests.every(({ token }) => token === TOKEN)).toBe(true);
  expect(forge.requests.at(-2)?.query.has("updated_after")).toBe(true);
});

describe("a project's file", () => {
  const load = async (own: string, project: string) => {
    using directory = tempDir();
    const root = join(directory.path, "project");
    const configuration = join(directory.path, "config", "contextful");
    mkdirSync(root);
    mkdirSync(configuration, { recursive: true });
    writeFileSync(join(configuration, "config.toml"), own);
    writeFileSync(join(root, "contextful.toml"), project);
    return await loadConfig({ root, env: { XDG_CONFIG_HOME: join(directory.path, "config") } });
  };

  test.each([
    "url = 'https://evil.example'",
    "token_env = 'AWS_SECRET_ACCESS_KEY'",
    "allow_private_addresses = true",
  ])("cannot set %s", async (line) => {
    const text = `[connectors.github.pumps]\nrepository = "acme/pumps"\n${line}\n`;
    await expect(load("", text)).rejects.toThrow("cannot be set by a project");
  });

  test("may name a repository, but not for the user's token", async () => {
    const own = '[connectors.github.pumps]\nrepository = "acme/pumps"\ntoken_env = "MINE"\n';
    const named = (repository: string) => `[connectors.github.pumps]\nrepository = "${repository}"\n`;
    const tokenFor = async (repository: string) =>
      (await load(own, named(repository))).connectors.github["pumps"]?.token_env;
    expect([await tokenFor("acme/pumps"), await tokenFor("acme/secrets")]).toEqual(["MINE", undefined]);
  });
});
