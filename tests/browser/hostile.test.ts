import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openView, PageProject } from "./page-server.ts";
import { XSS_PAYLOADS } from "./xss-payloads.ts";

const VIEWS = [
  "overview",
  "search?q=payload",
  "search?q=payload&in=memory",
  "activity",
  "activity?call=1",
  "packs",
  "memory",
  "map",
  "documents?q=payload",
  "evaluation",
];
let browser: Browser;
let project: PageProject;

/** A name that a file system takes. */
const fileName = (payload: string, at: number) =>
  `${at}-${payload.replaceAll("/", "∕").replaceAll("\0", "")}`.slice(0, 80);

beforeAll(async () => {
  browser = await openBrowser();
  const files = Object.fromEntries(
    XSS_PAYLOADS.flatMap((payload, at) => [
      [
        `src/${fileName(payload, at)}.ts`,
        `/** payload ${payload} */\nexport const value${at} = ${JSON.stringify(payload)};\n`,
      ],
      [`docs/${fileName(payload, at)}.md`, `# ${payload}\n\nThe payload is ${payload}\n`],
    ]),
  );
  project = new PageProject(files);
  await project.run("code", "index");
  await project.run("documents", "sync");
  const address = await project.serve();
  for (const [at, payload] of XSS_PAYLOADS.entries()) {
    await project.call("context_add_knowledge", { key: `payload-${at}`, content: `payload ${payload}` });
    await project.call("context_record_decision", { title: `payload ${payload}`, decision: payload });
    await project.call("code_search", { query: `payload ${payload}` });
  }
  expect(address).toMatch(/^http/);
});
afterAll(async () => {
  await Promise.all([project?.[Symbol.asyncDispose](), browser?.close()]);
});

test("there are 40 payloads", () => {
  expect(new Set(XSS_PAYLOADS).size).toBe(40);
});

test.each(VIEWS)("hostile text in %s stays text", async (view) => {
  await using opened = await openView(browser, `${project.address}#/${view}`);
  const { page, problems } = opened;
  if (view === "packs") {
    await page.getByLabel("Task").fill("payload value");
    await page.getByRole("button", { name: "Build pack" }).click();
    await page.waitForSelector(".pack-items li");
  }
  if (view === "memory") await page.locator(".entry-row button").first().click();
  if (view.startsWith("documents")) await page.locator(".small-hits a").first().click();
  const made = await page.evaluate(() => ({
    ran: Reflect.get(globalThis, "hacked") ?? null,
    elements: [
      ...document.querySelectorAll(
        "main script, main iframe, main img, main object, main embed, main video, main base, main meta, main link, main style",
      ),
    ].length,
    handlers: [...document.querySelectorAll("main *")].filter((each) =>
      each.getAttributeNames().some((name) => name.startsWith("on")),
    ).length,
    addresses: [...document.querySelectorAll("main a[href]")]
      .map((each) => each.getAttribute("href") ?? "")
      .filter((address) => !/^(#|https?:\/\/|(vscode|cursor):\/\/file\/|idea:\/\/open)/.test(address)),
  }));
  expect({ ...made, problems }).toEqual({ ran: null, elements: 0, handlers: 0, addresses: [], problems: [] });
});

test.each(XSS_PAYLOADS)("as a question, %s is only a question", async (payload) => {
  const question = encodeURIComponent(payload);
  await using opened = await openView(browser, `${project.address}#/search?q=${question}`);
  expect(await opened.page.evaluate(() => Reflect.get(globalThis, "hacked") ?? null)).toBeNull();
  expect(await opened.page.locator("main img, main script, main iframe, main svg").count()).toBe(0);
  expect(opened.problems).toEqual([]);
});
