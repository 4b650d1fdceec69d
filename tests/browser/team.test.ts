import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeRemote } from "../support/git-remote.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { askServer, openTeamProcesses } from "../support/team-processes.ts";
import { faultsOf, openBrowser, openView, SHOP, settled } from "./page-server.ts";

const WAIT = { timeout: 250_000, interval: 100 };
const MEMORY = {
  ".context-teleport/manifest.json": '{"schema_version":"0.4.0"}',
  ".context-teleport/knowledge/uploads.md": "Uploads retry three times.\n",
};

describeWithPostgres("the page of a team's server", (postgres) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test("a person gives a token, sees its projects, searches them and reads packs, memory and documents", async () => {
    await using processes = await openTeamProcesses(await postgres().createDatabase());
    using shop = makeRemote("shop", { ...SHOP, ...MEMORY });
    using other = makeRemote("other", {
      "plans.go": "package p\n\n// Retry <img src=x onerror=alert(1)> hides.\nfunc RetryPlans() {}\n",
    });
    processes.run("projects", "add", shop.url, "--name", "shop/api");
    processes.run("projects", "add", other.url, "--name", "other/plans");
    const tokenOf = (name: string): string =>
      JSON.parse(processes.run("team", "tokens", "add", name, "--json")).token;
    const [ana, all] = [tokenOf("ana"), tokenOf("all")];
    processes.run("team", "grant", "ana", "read", "--project", "shop/api");
    processes.run("team", "grant", "all", "read");
    await processes.startWorker("worker");
    const { port } = await processes.startServer("one");
    await vi.waitFor(async () => {
      const { body } = await askServer(port, all, "list_projects", {});
      expect(body.projects?.filter(({ commit }: { commit?: string }) => commit)).toHaveLength(2);
    }, WAIT);
    const address = `http://127.0.0.1:${port}/`;
    const signIn = async (token: string) => {
      const opened = await openView(browser, address);
      await opened.page.getByLabel("Token").fill(token);
      await opened.page.getByRole("button", { name: "Open" }).click();
      await opened.page.waitForSelector(".projects td");
      return opened;
    };

    await using mine = await signIn(ana);
    expect(await mine.page.locator("main").innerText()).toMatch(/shop\/api\s+[0-9a-f]{12}/);
    expect(await mine.page.content()).not.toContain("plans");
    const kept = await mine.page.evaluate(() => [document.cookie, JSON.stringify(localStorage)].join());
    expect(kept).not.toContain("ctx_");
    await mine.page.reload();
    await mine.page.waitForSelector(".projects td");

    await using opened = await signIn(all);
    const { page } = opened;
    await page.goto(`${address}#/search?q=Retry`);
    await page.waitForSelector(".hit .code-keyword");
    expect(await page.locator(".hit .tag").allInnerTexts()).toEqual(
      expect.arrayContaining(["shop/api", "other/plans"]),
    );
    await page.getByLabel("Project").selectOption("shop/api");
    expect(page.url()).toContain("q=Retry");
    await page.goto(`${address}#/memory?project=shop%2Fapi`);
    await page.getByRole("button", { name: "uploads" }).click();
    expect(await page.locator(".entry-pane").innerText()).toContain("three times");
    await page.goto(`${address}#/search?q=release&in=documents&mode=keyword&project=shop%2Fapi`);
    await page.locator(".small-hits a").first().click();
    await page.waitForSelector(".document-pane h2");
    await page.goto(`${address}#/packs?task=retry%20uploads&budget=2000&project=shop%2Fapi`);
    await page.getByRole("button", { name: "Build pack" }).click();
    await page.waitForSelector(".pack-items li");
    for (const width of [360, 2560])
      for (const view of ["overview", "search?q=retry", "packs", "memory", "documents?q=release"]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${address}#/${view}${view.includes("?") ? "&" : "?"}project=shop%2Fapi`);
        await settled(page);
        expect({ view, width, ...(await faultsOf(page)) }).toEqual({
          view,
          width,
          isTooWide: false,
          found: [],
        });
      }
    await page.getByRole("button", { name: "Forget the token" }).click();
    await settled(page);
    await page.getByLabel("Token").waitFor();
    expect([...opened.problems, ...mine.problems]).toEqual([]);
  });
});
