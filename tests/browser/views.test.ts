import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultsOf, openBrowser, openView, PageProject, SHOP, settled } from "./page-server.ts";

const VIEWS = ["overview", "search", "activity", "packs", "memory", "map", "documents", "evaluation"];

let browser: Browser;
let shop: PageProject;
let empty: PageProject;

beforeAll(async () => {
  browser = await openBrowser();
  shop = new PageProject(SHOP);
  await shop.run("code", "index");
  await shop.run("memory", "knowledge", "add", "tech-stack", "PostgreSQL is our database.");
  await shop.run(
    "memory",
    "knowledge",
    "add",
    "uploads",
    "Uploads retry.",
    "--anchors",
    "upload/upload.go#Retry",
  );
  await shop.run("memory", "decision", "add", "Use PostgreSQL", "--context", "Orders need transactions.");
  await shop.run("memory", "skill", "add", "deploy", "Run make deploy.", "--description", "Deploy the shop");
  await shop.run("directories", "init");
  await shop.run("documents", "sync");
  shop.write("upload/upload.go", `${SHOP["upload/upload.go"]?.replace("attempt < 3", "attempt < 5")}`);
  empty = new PageProject({ "notes.txt": "nothing\n" });
  await Promise.all([shop.serve(), empty.serve()]);
});
afterAll(async () => {
  await Promise.all([shop?.[Symbol.asyncDispose](), empty?.[Symbol.asyncDispose](), browser?.close()]);
});

/** Text of the view, whatever the lines are. */
const textOf = async (page: Awaited<ReturnType<typeof openView>>["page"]) =>
  (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");

describe("every view", () => {
  const cases = VIEWS.flatMap((view) =>
    (["light", "dark"] as const).flatMap((colorScheme) =>
      [360, 2560].map((width) => ({ view, colorScheme, width })),
    ),
  );
  test.each(cases)(
    "$view at $width px in $colorScheme is accessible and fits",
    async ({ view, colorScheme, width }) => {
      const viewport = { width, height: 900 };
      const question = { search: "?q=retry", documents: "?q=release" }[view] ?? "";
      await using opened = await openView(browser, `${shop.address}#/${view}${question}`, {
        colorScheme,
        viewport,
      });
      const { page, problems } = opened;
      expect({ ...(await faultsOf(page)), problems }).toEqual({ isTooWide: false, found: [], problems: [] });
    },
  );

  test.each(VIEWS)("%s of an empty project says what to do", async (view) => {
    await using opened = await openView(browser, `${empty.address}#/${view}`);
    expect(opened.problems).toEqual([]);
    expect((await textOf(opened.page)).length).toBeGreaterThan(20);
  });
});

describe("on a real project", () => {
  test("the overview shows the index, the rooms and the entries for clients", async () => {
    await using opened = await openView(browser, shop.address);
    const { page } = opened;
    await page.waitForSelector(".rooms li");
    const text = await textOf(page);
    expect(text).toContain("source files 2");
    expect(text).toContain("2 knowledge, 0 conventions, 1 decision, 1 skill");
    expect(text).toContain("contextful eval");
    expect((await page.locator(".entry").innerText()).trimEnd()).toBe(
      (await shop.run("setup", "claude-code", "--print")).trimEnd(),
    );
  });

  test("a search finds code, memory and documents, with colours, and keys move through the results", async () => {
    await using opened = await openView(browser, `${shop.address}#/search`);
    const { page } = opened;
    await page.keyboard.type("Retry");
    await page.waitForSelector(".hit .code-keyword");
    await settled(page);
    expect(await page.locator(".hit h3").first().innerText()).toContain("Retry");
    expect(await page.locator(".hit mark").first().innerText()).toMatch(/retry/i);
    expect(await page.locator(".small-hits").first().innerText()).toContain("uploads");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("hit");
    expect(await page.locator(".hit .editor-links a").first().getAttribute("href")).toBe(
      `vscode://file${shop.root}/upload/upload.go:3`,
    );
  });

  test("an agent's call appears while the page is open, with exactly what the agent received", async () => {
    await using opened = await openView(browser, `${shop.address}#/activity`);
    const { page } = opened;
    const given = await shop.call("code_search", { query: "total of prices" });
    await page.getByRole("button", { name: "total of prices" }).click();
    await page.waitForSelector(".given");
    expect(JSON.parse(await page.locator(".given").innerText())).toEqual(given);
  });

  test("a pack shows its rooms, its items and its receipt", async () => {
    await using opened = await openView(browser, `${shop.address}#/packs?task=retry%20uploads&budget=2000`);
    const { page } = opened;
    await page.getByRole("button", { name: "Build pack" }).click();
    await page.waitForSelector(".pack-items li");
    expect(await page.locator(".pack-items").innerText()).toContain("Retry");
    await page.getByLabel("As the agent gets it", { exact: true }).check();
    expect(await page.locator(".markdown").innerText()).toContain("retry uploads");
    await page.getByLabel("Compare with the last one").check();
    await page.getByLabel("Task").fill("add up prices");
    await page.getByRole("button", { name: "Build pack" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".pack-pane").length === 2);
    expect(await textOf(page)).toContain("The second pack has");
  });

  test("memory shows moved anchors, and an entry is added, changed and removed", async () => {
    await using opened = await openView(browser, `${shop.address}#/memory`);
    const { page } = opened;
    await page.locator(".entry-row", { hasText: "uploads" }).getByText("anchor moved").waitFor();
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByLabel("Key").fill("cache");
    await page.getByLabel("Text (Markdown)").fill("Redis.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "cache", exact: true }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Text (Markdown)").fill("Valkey.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".entry-pane", { hasText: "Valkey." }).waitFor();
    expect(await shop.run("memory", "knowledge", "get", "cache")).toBe("Valkey.\n");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove it now" }).click();
    await page.locator(".entry-row", { hasText: "cache" }).waitFor({ state: "detached" });
  });

  test("the map zooms by click and by its list", async () => {
    await using opened = await openView(browser, `${shop.address}#/map`);
    const { page } = opened;
    await page.getByRole("link", { name: "upload/" }).click();
    expect(await page.locator(".directory-pane h2").innerText()).toBe("upload");
    await page.getByRole("link", { name: "project" }).click();
    await page.locator(".map-frame canvas").click({ position: { x: 20, y: 20 } });
    expect(page.url()).toContain("#/map?at=");
  });

  test("documents are searched, read and synced", async () => {
    await using opened = await openView(browser, `${shop.address}#/documents?q=roll+back`);
    const { page } = opened;
    await page.getByRole("link", { name: "Release" }).click();
    await page.locator(".document-pane", { hasText: "previous tag" }).waitFor();
    await page.getByRole("button", { name: "Sync all" }).click();
    await page.locator(".sync-report", { hasText: "documents written" }).waitFor();
  });

  test("the report of an evaluation is shown", async () => {
    shop.write("web/cart.ts", `${SHOP["web/cart.ts"]}export const EMPTY = [];\n`);
    shop.commit("Let an empty cart have a total of nothing at all");
    await shop.run("eval", "--commits", "3", "--budget", "1000");
    await using opened = await openView(browser, `${shop.address}#/evaluation`);
    expect(await opened.page.locator(".recall").innerText()).toContain("pack");
  });
});
