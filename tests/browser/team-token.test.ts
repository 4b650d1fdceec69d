import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeRemote } from "../support/git-remote.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { askServer, openTeamProcesses } from "../support/team-processes.ts";
import { openBrowser, openView, settled } from "./page-server.ts";
import { openProxy } from "./team-proxy.ts";

const WAIT = { timeout: 60_000, interval: 50 };

describeWithPostgres("access tokens and events on the page of a team's server", (postgres) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** Two projects that nobody has indexed: their names are enough. */
  async function openScene() {
    const processes = await openTeamProcesses(await postgres().createDatabase());
    const remotes = [
      makeRemote("shop", { "a.go": "package a\n" }),
      makeRemote("plans", { "b.go": "package b\n" }),
    ];
    const [shop, plans] = remotes.map(({ url }) => url);
    const add = (url = "", name = "") => processes.run("projects", "add", url, "--name", name);
    add(shop, "shop/api");
    const { port } = await processes.startServer("one");
    const proxy = await openProxy(port);
    return {
      port,
      proxy,
      addPlans: () => add(plans, "other/plans"),
      /** An access token that may read what `grant` says. */
      tokenOf(name: string, ...grant: string[]): string {
        const { token } = JSON.parse(processes.run("team", "tokens", "add", name, "--json"));
        processes.run("team", "grant", name, "read", ...grant);
        return token;
      },
      revoke: (name: string) => processes.run("team", "tokens", "revoke", name),
      async signIn(token: string) {
        const opened = await openView(browser, proxy.address);
        await opened.page.getByLabel("Token").fill(token);
        await opened.page.getByRole("button", { name: "Open" }).click();
        await opened.page.waitForSelector(".projects td");
        return opened;
      },
      async [Symbol.asyncDispose]() {
        await proxy[Symbol.asyncDispose]();
        await processes[Symbol.asyncDispose]();
        for (const remote of remotes) remote[Symbol.dispose]();
      },
    };
  }

  test("after a token is revoked, the next one never sees the projects of the first", async () => {
    await using scene = await openScene();
    scene.addPlans();
    const [all, shop] = [scene.tokenOf("all"), scene.tokenOf("ana", "--project", "shop/api")];
    await using opened = await scene.signIn(all);
    const { page } = opened;
    await page.locator(".projects", { hasText: "other/plans" }).waitFor();
    scene.revoke("all");
    await page.getByLabel("Token").waitFor();
    let release = () => {};
    scene.proxy.answer("/tools/list_projects", (_response, pass) => {
      release = pass;
    });
    const before = scene.proxy.count("/tools/list_projects");
    // As it is copied from a message, with spaces around it.
    await page.getByLabel("Token").fill(`  ${shop} `);
    await page.getByRole("button", { name: "Open" }).click();
    await vi.waitFor(() => expect(scene.proxy.count("/tools/list_projects")).toBeGreaterThan(before), WAIT);
    expect(await page.content()).not.toContain("other/plans");
    release();
    await page.locator(".projects", { hasText: "shop/api" }).waitFor();
    expect(await page.content()).not.toContain("other/plans");
    expect(opened.problems).toEqual([]);
  });

  test("a refused stream of events is not asked for each second", async () => {
    await using scene = await openScene();
    const token = scene.tokenOf("all");
    scene.proxy.answer("/events", (response) => response.writeHead(429).end());
    await using opened = await scene.signIn(token);
    const { page } = opened;
    await page.clock.install();
    await page.reload();
    await settled(page);
    await vi.waitFor(() => expect(scene.proxy.count("/tools/list_projects")).toBeGreaterThan(1), WAIT);
    const before = { events: scene.proxy.count("/events"), sessions: scene.proxy.count("/page/session") };
    const second = async () => {
      await page.clock.runFor(1_000);
      // A request that the page has begun is here before this one.
      await page.evaluate(() => fetch("/page/style.css"));
    };
    for (let passed = 0; passed < 25; passed++) await second();
    expect({ events: scene.proxy.count("/events"), sessions: scene.proxy.count("/page/session") }).toEqual(
      before,
    );
    await vi.waitFor(async () => {
      await second();
      expect(scene.proxy.count("/events")).toBe(before.events + 1);
    }, WAIT);
  });

  test("an event that arrives in two parts is noticed", async () => {
    await using scene = await openScene();
    const token = scene.tokenOf("all");
    let send = (_text: string): void => {};
    scene.proxy.answer("/events", (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": alive\n\n");
      send = (text) => response.write(text);
    });
    await using opened = await scene.signIn(token);
    const { page } = opened;
    const lists = () => scene.proxy.count("/tools/list_projects");
    expect(await page.content()).not.toContain("other/plans");
    const before = lists();
    send("event: added\nda");
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(before), WAIT);
    scene.addPlans();
    await vi.waitFor(async () => {
      const { body } = await askServer(scene.port, token, "list_projects", {});
      expect(body.projects).toHaveLength(2);
    }, WAIT);
    send('ta: {"project":"other/plans"}\n\n');
    await page.locator(".projects", { hasText: "other/plans" }).waitFor();
  });
});
