import { type Browser, chromium } from "playwright-core";
import { PageProject, SHOP } from "../tests/browser/page-server.ts";
import { fileMap } from "../tests/browser/synthetic-map.ts";

/** How soon the first view is there, and the longest task on a map of 20,000 files. Prints; it is not a test. */
const project = new PageProject(SHOP);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--no-first-run"],
});
try {
  await project.run("code", "index");
  const address = await project.serve();
  const first = [];
  for (let round = 0; round < 5; round += 1) first.push(await firstView(browser, address));
  console.log(
    `first view: ${Math.min(...first).toFixed(0)} ms (best of 5), ${Math.max(...first).toFixed(0)} ms (worst)`,
  );
  console.log(`map of 20,000 files, longest task: ${(await longestTask(browser, address)).toFixed(0)} ms`);
} finally {
  await browser.close();
  await project[Symbol.asyncDispose]();
}

/** From the request until the figures of the index are shown. */
async function firstView(on: Browser, address: string): Promise<number> {
  const context = await on.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector(".figures");
  const time = await page.evaluate(() => performance.now());
  await context.close();
  return time;
}

async function longestTask(on: Browser, address: string): Promise<number> {
  const context = await on.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.route("**/page/tools/page_map", (route) => route.fulfill({ json: fileMap(20_000) }));
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Reflect.set(globalThis, "tasks", tasks);
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: "longtask",
    });
  });
  await page.goto(`${address}#/map`);
  await page.waitForSelector("canvas");
  for (const place of [200, 300, 400]) {
    await page.locator("canvas").click({ position: { x: place, y: place } });
    await page.goBack();
  }
  const tasks = await page.evaluate((): number[] => Reflect.get(globalThis, "tasks"));
  await context.close();
  return Math.max(0, ...tasks);
}
