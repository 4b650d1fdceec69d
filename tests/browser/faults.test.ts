import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, openView, PageProject, SHOP } from "./page-server.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("a page connects again after the server was started again, and can still write", async () => {
  await using shop = new PageProject(SHOP);
  await shop.run("code", "index");
  const address = await shop.serve();
  await using opened = await openView(browser, `${address}#/memory`);
  const { page } = opened;
  await shop.stop();
  await page.getByText("The server is away").waitFor();
  await shop.serve();
  await page.getByText("The server is away").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByLabel("Key").fill("restart");
  await page.getByLabel("Text (Markdown)").fill("It connects again.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "restart" }).waitFor();
});

test("a damaged index does not break a view", async () => {
  await using shop = new PageProject(SHOP);
  await shop.run("code", "index");
  for (const file of filesUnder(shop.home)) {
    if (/\.(db|sqlite)$/.test(file))
      writeFileSync(file, "this is not a database, not at all, whatever its name says");
  }
  const address = await shop.serve();
  for (const view of ["overview", "search?q=retry", "map"]) {
    await using opened = await openView(browser, `${address}#/${view}`);
    expect(opened.problems).toEqual([]);
    expect(await opened.page.locator("nav").first().isVisible()).toBe(true);
  }
});

test("a read-only server shows no button that writes, and refuses writes", async () => {
  await using shop = new PageProject(SHOP);
  await shop.run("memory", "knowledge", "add", "tech-stack", "PostgreSQL");
  const address = await shop.serve("--read-only");
  await using opened = await openView(browser, `${address}#/memory`);
  const { page } = opened;
  await page.getByRole("button", { name: "tech-stack" }).click();
  expect(await page.getByRole("button", { name: /Add|Edit|Remove|Push|Pull/ }).count()).toBe(0);
  expect(await shop.call("context_add_knowledge", { key: "x", content: "y" })).toMatchObject({
    error: { code: "not_found" },
  });
});

test("beyond this machine the token is asked for once", async () => {
  await using shop = new PageProject(SHOP);
  const token = join(shop.home, "..", "token");
  writeFileSync(token, "a token of some length", { mode: 0o600 });
  const address = await shop.serve("--host", "0.0.0.0", "--token-file", token);
  const page = await openPage(browser);
  await page.goto(address);
  await page.getByLabel("Token").fill("wrong token");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("does not know this token").waitFor();
  await page.getByLabel("Token").fill("a token of some length");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("heading", { name: "shop" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "shop" }).waitFor();
  expect(await page.getByLabel("Token").count()).toBe(0);
  await page.context().close();
});

test("a conflict is settled side by side, and the push button asks first", async () => {
  await using shop = new PageProject(SHOP);
  const remote = join(shop.home, "..", "remote.git");
  shop.git("init", "-q", "--bare", "-b", "main", remote);
  shop.git("remote", "add", "origin", remote);
  await shop.run("memory", "knowledge", "add", "stack", "Line one\n");
  shop.commit("Memory");
  shop.git("push", "-q", "-u", "origin", "main");
  const other = join(shop.home, "..", "other");
  shop.git("clone", "-q", remote, other);
  writeFileSync(join(other, ".context-teleport/knowledge/stack.md"), "Theirs\n");
  shop.git("-C", other, "commit", "-qam", "Theirs");
  shop.git("-C", other, "push", "-q");
  await shop.run("memory", "knowledge", "add", "stack", "Ours\n");
  const address = await shop.serve();
  await using opened = await openView(browser, `${address}#/memory`);
  const { page } = opened;
  await page.getByRole("button", { name: "Pull" }).click();
  await page.getByRole("button", { name: "Use theirs" }).click();
  await page.getByRole("button", { name: "Finish the merge" }).click();
  await page.locator(".conflicts").waitFor({ state: "detached" });
  expect(await shop.run("memory", "knowledge", "get", "stack")).toBe("Theirs\n");
  await page.getByRole("button", { name: "Push", exact: true }).click();
  const before = shop.git("-C", remote, "rev-parse", "main");
  await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(shop.git("-C", remote, "rev-parse", "main")).toBe(before);
  await page.getByRole("button", { name: "Push", exact: true }).click();
  await page.locator("dialog").getByRole("button", { name: "Push", exact: true }).click();
  await page.locator(".notice", { hasText: "pushed" }).waitFor();
  expect(shop.git("-C", remote, "rev-parse", "main")).not.toBe(before);
});

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
