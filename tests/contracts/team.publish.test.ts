import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { CODE_KIND } from "../../src/capabilities/code-index/index.ts";
import { logIn } from "../../src/capabilities/team/access/log-in.ts";
import { projectKey } from "../../src/capabilities/team/projects/project-key.ts";
import { Config } from "../../src/core/config/config.ts";
import { manifestId } from "../../src/core/replica/blocks.ts";
import { httpReplica } from "../../src/core/replica/http/http-replica.ts";
import { openReplica } from "../../src/core/replica/open-replica.ts";
import type { Generation } from "../../src/core/replica/replica.ts";
import { openProject, source } from "../support/code-project.ts";
import { makeRemote } from "../support/git-remote.ts";
import { query } from "../support/postgres-server.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { openTestTeam } from "../support/team-server.ts";
import { tempDir } from "../support/temp-dir.ts";

const WAIT = { timeout: 200_000, interval: 50 };
/** Of an index of a few functions, every block changes with each of them. */
const MANY = Array.from({ length: 400 }, (_, at) => `\n// Step${at} does part ${at}.\nfunc Step${at}() {}\n`);
const API = {
  ...Object.fromEntries(
    ["Alpha", "Beta", "Gamma", "Delta"].map((name) => [`pkg/${name.toLowerCase()}.go`, source(name)]),
  ),
  "pkg/many.go": `package p\n${MANY.join("")}`,
};

const BESIDE = {
  "docs/plan.md": "# Plan\n\nThe warehouse has a plan.\n",
  ".context-teleport/manifest.json": '{"schema_version":"0.4.0"}',
  ".context-teleport/knowledge/retries.md": "Retries are counted.\n",
  ".context.yaml":
    'version: 1\nscope: .\nsummary: What the shop sells.\nlast_updated: "2026-01-02T03:04:05Z"\nfingerprint: "00000000"\nmaintenance: Keep it short.\n',
};
/** The first byte says whether the rest is deflated. */
const unpacked = (packed: Buffer) => (packed[0] === 1 ? inflateRawSync(packed.subarray(1)) : packed);

describeWithPostgres("a team's store over HTTP", (postgres) => {
  /** A registered project without a worker, a server on a socket, and clones with tokens. */
  async function openShop() {
    const team = await openTestTeam(postgres());
    const remote = makeRemote("api", { "go.mod": "module example.org/api\n", ...API });
    await team.add({ url: remote.url, name: "shop/api" });
    await team.add({ url: "file:///nowhere/plans.git", name: "plans" });
    const server = await team.startServer("one");
    const url = await server.openSocket();
    const clones: { [Symbol.asyncDispose](): PromiseLike<void> }[] = [];
    const listed = async (token: string) => {
      const response = await fetch(`${url}/tools/list_projects`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      return Object(await response.json()).projects;
    };
    /** A server may know a token before it knows its grant. */
    const token = async (name: string, grant?: Parameters<typeof team.token>[1]) => {
      const text = await team.token(name, grant);
      const least = grant === undefined ? 0 : 1;
      await vi.waitFor(async () => expect((await listed(text)).length).toBeGreaterThanOrEqual(least), WAIT);
      return text;
    };
    const clone = (tokenText: string) => {
      const logged: string[] = [];
      const log = (message: string) => void logged.push(message);
      const opened = openProject(
        {},
        {
          config: async () => Config.parse({ embedding: { provider: "disabled" }, team: { url } }),
          env: { CONTEXTFUL_TEAM_TOKEN: tokenText },
          logger: { info: log, warn: log, error: log },
          now: () => new Date(),
        },
      );
      clones.push(opened);
      rmSync(opened.root, { recursive: true });
      execFileSync("git", ["clone", "-q", remote.url, opened.root]);
      const publish = async () => Object(await opened.run("code_publish", { name: "shop/api" }));
      return Object.assign(opened, { logged, publish });
    };
    return {
      team,
      remote,
      server,
      url,
      token,
      clone,
      async [Symbol.asyncDispose]() {
        for (const one of clones) await one[Symbol.asyncDispose]();
        await team[Symbol.asyncDispose]();
        remote[Symbol.dispose]();
      },
    };
  }
  const ask = (url: string, token: string, input: unknown) => callTool(url, token, "search_code", input);
  const callTool = async (url: string, token: string, name: string, input: unknown) => {
    const response = await fetch(`${url}/tools/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    return Object(await response.json());
  };

  test("a publisher sends what is missing, servers answer from it, and a laptop starts from it", async () => {
    await using shop = await openShop();
    const [ci, ana] = [
      await shop.token("ci", { project: "shop/api", role: "publish" }),
      await shop.token("ana", { project: "shop/api" }),
    ];
    const worker = shop.clone(ci);
    const first = await worker.publish();
    expect(first.new_blocks).toBe(first.blocks);
    await vi.waitFor(async () => {
      const { results } = await ask(shop.url, ana, { query: "Beta", project: "shop/api" });
      expect(results?.[0]?.symbol.name).toBe("Beta");
    }, WAIT);
    expect((await worker.publish()).new_blocks).toBe(0);
    shop.remote.push({ "pkg/beta.go": source("Changed") });
    worker.git("pull", "-q");
    const second = await worker.publish();
    expect(second.new_blocks).toBeLessThan(second.blocks);
    await vi.waitFor(async () => {
      const { results } = await ask(shop.url, ana, { query: "Changed", project: "shop/api" });
      expect(results?.[0]?.symbol.name).toBe("Changed");
    }, WAIT);

    const laptop = shop.clone(ana);
    writeFileSync(join(laptop.root, "pkg/draft.go"), source("DraftOfAna"));
    const stored = () => query(shop.team.url, "SELECT count(*) FROM contextful.blocks");
    const before = await stored();
    const { statistics } = await laptop.index();
    // A laptop sends nothing of its own.
    expect(await stored()).toEqual(before);
    expect(laptop.logged.join("\n")).toContain("starts from the team's index, 0 changed files away");
    expect(statistics.files_indexed).toBe(1);
    expect((await laptop.search("DraftOfAna")).results[0]?.symbol.name).toBe("DraftOfAna");
    expect(
      (
        await query(
          shop.team.url,
          `SELECT target FROM contextful_team.audit WHERE action = 'publish' AND target LIKE '% ${CODE_KIND}'`,
        )
      ).length,
    ).toBe(3);
  });

  test("a token learns nothing of what it may not read, even if it knows the names", async () => {
    await using shop = await openShop();
    const ci = await shop.token("ci", { project: "shop/api", role: "publish" });
    await shop.clone(ci).publish();
    await using whole = await openReplica(shop.team.url);
    const [project] = (await shop.team.list()).filter(({ commit }) => commit !== null);
    const rows = await query(
      shop.team.url,
      "SELECT id, repository FROM contextful_team.projects WHERE name = 'shop/api'",
    );
    const { id, repository } = Object(rows[0]);
    const [generation] = await whole.registry.generations(projectKey(id), CODE_KIND);
    const manifest = generation && (await whole.registry.manifest(generation.manifest));
    if (!generation || !manifest || !project) throw new Error("nothing is published");
    const strangers = {
      nobody: await shop.token("nobody"),
      other: await shop.token("other", { project: "plans", role: "admin" }),
    };
    for (const token of Object.values(strangers)) {
      const { blocks, registry } = httpReplica({ url: shop.url, token });
      expect(await registry.generations(repository, CODE_KIND)).toEqual([]);
      expect(await registry.generations(projectKey(id), CODE_KIND)).toEqual([]);
      expect(await registry.manifest(generation.manifest)).toBeUndefined();
      expect((await blocks.get(manifest.blocks)).size).toBe(0);
      expect((await blocks.has(manifest.blocks)).size).toBe(0);
      await expect(registry.lease(`reading-${generation.manifest}-x`, 1_000)).rejects.toMatchObject({
        code: "not_found",
      });
    }
    // The same calls with a grant.
    const { blocks, registry } = httpReplica({ url: shop.url, token: ci });
    expect(await registry.generations(repository, CODE_KIND)).toHaveLength(1);
    expect(await registry.manifest(generation.manifest)).toEqual(manifest);
    expect((await blocks.get(manifest.blocks)).size).toBe(new Set(manifest.blocks).size);
    expect(await registry.lease(`reading-${generation.manifest}-x`, 1_000)).toBeDefined();
  });

  test("files and documents of the commit go along, and nothing of the clone is touched", async () => {
    await using shop = await openShop();
    shop.remote.push(BESIDE);
    const [ci, ana] = [
      await shop.token("ci", { project: "shop/api", role: "publish" }),
      await shop.token("ana", { project: "shop/api" }),
    ];
    const worker = shop.clone(ci);
    writeFileSync(join(worker.root, ".git/info/exclude"), "draft.md\n");
    writeFileSync(join(worker.root, "docs/draft.md"), "# Draft\n\nUnpublishedDraft\n");
    const times = () =>
      [...readdirSync(worker.root), "docs/plan.md"].map((name) => statSync(join(worker.root, name)).mtimeMs);
    const before = times();
    await worker.publish();
    expect(times()).toEqual(before);
    expect(String(worker.git("worktree", "list")).trim().split("\n")).toHaveLength(1);
    const answers = async () => [
      (await callTool(shop.url, ana, "documents_search", { query: "warehouse" })).results?.[0]?.source_id,
      (await callTool(shop.url, ana, "memory_search", { query: "retries" }))[0]?.key,
      (await callTool(shop.url, ana, "directory_context", {})).context?.summary,
    ];
    await vi.waitFor(
      async () => expect(await answers()).toEqual(["docs/plan.md", "retries", "What the shop sells."]),
      WAIT,
    );
    shop.remote.push({ "docs/plan.md": "# Plan\n\nThe lighthouse has a plan.\n" });
    worker.git("pull", "-q");
    await worker.publish();
    await vi.waitFor(async () => {
      const { results } = await callTool(shop.url, ana, "documents_search", { query: "lighthouse" });
      expect(results?.[0]?.source_id).toBe("docs/plan.md");
    }, WAIT);
    const stored = await query(shop.team.url, "SELECT packed FROM contextful.blocks");
    const drafts = stored.filter((row) => {
      const packed: Buffer = Object(row).packed;
      return unpacked(packed).includes("UnpublishedDraft");
    });
    expect(drafts).toEqual([]);
  });

  test("a repair covers the files and documents of the commit too", async () => {
    await using shop = await openShop();
    shop.remote.push(BESIDE);
    const ci = await shop.token("ci", { project: "shop/api", role: "publish" });
    const worker = shop.clone(ci);
    await worker.publish();
    await query(shop.team.url, "UPDATE contextful.blocks SET packed = '\\x0001'");
    await worker.run("code_publish", { name: "shop/api", repair: true });
    const other = await (await shop.team.startServer("two")).openSocket();
    await vi.waitFor(async () => {
      const { results } = await callTool(other, ci, "documents_search", { query: "warehouse" });
      expect(results?.[0]?.source_id).toBe("docs/plan.md");
      expect((await callTool(other, ci, "memory_search", { query: "retries" }))[0]?.key).toBe("retries");
    }, WAIT);
  });

  test("two servers agree on who holds a lease, and either of them renews it", async () => {
    await using shop = await openShop();
    const ci = await shop.token("ci", { project: "shop/api", role: "publish" });
    const { project: repository } = await shop.clone(ci).publish();
    const second = await (await shop.team.startServer("two")).openSocket();
    const [one, two] = [shop.url, second].map((url) => httpReplica({ url, token: ci }).registry);
    const generations = await vi.waitFor(async () => {
      const known = await two?.generations(repository, CODE_KIND);
      expect(known).toHaveLength(1);
      return known;
    }, WAIT);
    const terms = { name: `reading-${generations?.[0]?.manifest}-x`, ttlMs: 60_000 };
    const held = await one?.lease(terms.name, terms.ttlMs);
    expect(await two?.lease(terms.name, terms.ttlMs)).toBeUndefined();
    const same = two?.leaseOf({ ...terms, holder: held?.holder ?? "" });
    expect(await same?.renew()).toBe(true);
    await same?.release();
    expect(await held?.renew()).toBe(false);
    expect(await two?.lease(terms.name, terms.ttlMs)).toBeDefined();
  });

  test("nobody publishes without the role, nor bytes that only others have", async () => {
    await using shop = await openShop();
    const [ci, ana, other] = [
      await shop.token("ci", { project: "shop/api", role: "publish" }),
      await shop.token("ana", { project: "shop/api" }),
      await shop.token("other", { project: "plans", role: "publish" }),
    ];
    await expect(shop.clone(ana).publish()).rejects.toMatchObject({ reason: "not_granted" });
    const { project: repository } = await shop.clone(ci).publish();
    const [row] = await query(
      shop.team.url,
      "SELECT id FROM contextful_team.projects WHERE name = 'shop/api'",
    );
    await using whole = await openReplica(shop.team.url);
    const [generation] = await whole.registry.generations(projectKey(Object(row).id), CODE_KIND);
    const manifest = generation && (await whole.registry.manifest(generation.manifest));
    if (!generation || !manifest) throw new Error("nothing is published");
    const stolen: Generation = { ...generation, name: "plans" };
    // It knows every hash, but has sent no block.
    expect(await httpReplica({ url: shop.url, token: other }).registry.publish(stolen, manifest)).toBe(false);
    const shorter = { ...manifest, length: 0, blocks: [] };
    await expect(
      httpReplica({ url: shop.url, token: other }).registry.publish(stolen, shorter),
    ).rejects.toMatchObject({ reason: "wire" });
    const empty = { ...stolen, manifest: manifestId(shorter) };
    expect(await httpReplica({ url: shop.url, token: other }).registry.publish(empty, shorter)).toBe(true);
    // The store's own rows of a repository are not a publisher's to write, nor is a project of another repository.
    expect(await whole.registry.generations(repository, CODE_KIND)).toEqual([]);
    const claimed = { ...generation, name: "shop/api", project: "1".repeat(64) };
    await expect(
      httpReplica({ url: shop.url, token: ci }).registry.publish(claimed, manifest),
    ).rejects.toMatchObject({ reason: "other_repository" });
    const listed = await shop.team.list();
    expect(listed.find(({ name }) => name === "shop/api")?.published_at).not.toBeNull();
    await vi.waitFor(async () => {
      const text =
        "SELECT DISTINCT actor FROM contextful_team.audit WHERE action = 'publish' AND outcome = 'denied'";
      expect(await query(shop.team.url, text)).toEqual([{ actor: "ana" }]);
    }, WAIT);
  });

  test("a login is kept where only its user can read it, after the server knew the token", async () => {
    await using shop = await openShop();
    using home = tempDir();
    const env = { CONTEXTFUL_CONFIG: home.path };
    const ana = await shop.token("ana", { project: "shop/api" });
    const file = join(home.path, "token.txt");
    writeFileSync(file, `${ana}\n`);
    const configured = undefined;
    expect(await logIn(`${shop.url}/`, file, { env, configured })).toEqual({
      url: shop.url,
      projects: 1,
      is_configured: false,
    });
    const stored = join(home.path, "team-tokens.json");
    expect(statSync(stored).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(stored, "utf8"))).toEqual({ [shop.url]: ana });
    await using replica = await openReplica(shop.url, env);
    expect(await replica.registry.generations("0".repeat(64), CODE_KIND)).toEqual([]);
    writeFileSync(file, `ctx_0000000000000000_${"a".repeat(43)}`);
    await expect(logIn(shop.url, file, { env, configured })).rejects.toMatchObject({ reason: "team_token" });
    await expect(logIn("http://code.example.org", file, { env, configured })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(openReplica("https://code.example.org", env)).rejects.toMatchObject({
      reason: "team_token",
    });
  });
});
