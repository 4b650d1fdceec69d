import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, openView, PageProject, settled } from "./page-server.ts";
import { fileMap } from "./synthetic-map.ts";

const ENTRIES = 5_000;
const FILES = 200;
const FUNCTIONS = 500;
let browser: Browser;
let project: PageProject;

beforeAll(async () => {
  browser = await openBrowser();
  const memory = Array.from({ length: ENTRIES }, (_, at) => [
    `.context-teleport/knowledge/entry-${at}.md`,
    `Entry ${at} says something about part ${at % 97}.\n`,
  ]);
  const code = Array.from({ length: FILES }, (_, file) => [
    `part${file % 20}/file${file}.go`,
    `package part\n\n${Array.from({ length: FUNCTIONS }, (_, at) => `func F${file}x${at}() int {\n\treturn ${at}\n}\n`).join("\n")}`,
  ]);
  project = new PageProject({
    "go.mod": "module example.org/huge\n",
    ...Object.fromEntries([...memory, ...code]),
  });
  await project.run("code", "index");
  await project.serve();
});
afterAll(async () => {
  await Promise.all([project?.[Symbol.asyncDispose](), browser?.close()]);
});

test("an index of 100,000 chunks is shown and searched", async () => {
  await using opened = await openView(browser, `${project.address}#/search?q=F7x77&in=code`);
  expect(await opened.page.locator(".hit h3").first().innerText()).toContain("F7x77");
  await opened.page.keyboard.press("Escape");
  await opened.page.keyboard.press("1");
  await opened.page.locator(".figures", { hasText: "100,000" }).waitFor();
});

test("5,000 entries are drawn as one scrolls, and filtered at once", async () => {
  await using opened = await openView(browser, `${project.address}#/memory`);
  const { page } = opened;
  await page.locator(".entry-row").first().waitFor();
  expect(await page.locator(".entry-row").count()).toBeLessThan(1_000);
  await page.getByLabel("Filter entries").fill("Entry 4321 says");
  await page.waitForFunction(() => document.querySelectorAll(".entry-row").length === 1);
  expect(opened.problems).toEqual([]);
});

test("a map of 20,000 files is drawn, and a click goes into a directory", async () => {
  const page = await openPage(browser, { viewport: { width: 1600, height: 1000 } });
  await page.route("**/page/tools/page_map", (route) => route.fulfill({ json: fileMap(20_000) }));
  await page.goto(`${project.address}#/map`);
  await settled(page);
  await page.waitForFunction(() => (document.querySelector("canvas")?.width ?? 0) > 0);
  await page.locator("canvas").click({ position: { x: 100, y: 100 } });
  await page.waitForFunction(() => location.hash.includes("at="));
  await page.getByLabel("Colour").selectOption("churn");
  expect(await page.locator(".legend").innerText()).toContain("commits");
  await page.context().close();
});
