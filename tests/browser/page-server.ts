import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { builtBinary } from "../support/dist.ts";

/** Debian's Chromium needs no sandbox for root, and must not call home. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Finds a hang, also on a machine with a load of 20. */
const LIMIT_MS = 120_000;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ARGUMENTS,
    timeout: LIMIT_MS,
  });

/** A page that shares nothing with another one. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  return context.newPage();
}

/** Opens a view and waits until nothing in it is being read. Collects what must not happen. */
export async function openView(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[]; [Symbol.asyncDispose](): Promise<void> }> {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML|Refused to/.test(message.text())) problems.push(message.text());
  });
  await page.goto(address);
  await settled(page);
  return { page, problems, [Symbol.asyncDispose]: () => page.context().close() };
}

export async function settled(page: Page): Promise<void> {
  await page.waitForSelector("main h1, main h2", { state: "attached" });
  await page.waitForFunction(() => document.querySelector(".loading, [aria-busy=true]") === null);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a view must not have: content wider than the window, and what axe calls serious. */
export async function faultsOf(page: Page): Promise<{ isTooWide: boolean; found: string[] }> {
  const isTooWide = await page.evaluate(() => {
    const main = document.querySelector("main");
    const inside = (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0);
    return Math.max(inside, document.documentElement.scrollWidth - window.innerWidth) > 0;
  });
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const tool = Reflect.get(globalThis, "axe");
    const { violations } = await tool.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  });
  return { isTooWide, found };
}

/** A project in a temporary directory, with the binary serving it. */
export class PageProject {
  readonly root: string;
  readonly home: string;
  #server: ChildProcess | undefined;
  address = "";

  constructor(files: Readonly<Record<string, string>>) {
    const directory = mkdtempSync(join(tmpdir(), "page-project-"));
    this.root = join(directory, "shop");
    this.home = join(directory, "home");
    mkdirSync(this.root);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.git("init", "-q", "-b", "main");
    this.commit("First commit");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"];
    return execFileSync("git", [...identity, ...args], { cwd: this.root, encoding: "utf8" });
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  async run(...args: string[]): Promise<string> {
    const binary = await builtBinary();
    return execFileSync(process.execPath, [binary, ...args], {
      cwd: this.root,
      encoding: "utf8",
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  /** Returns the page's address once the server listens. */
  async serve(...args: string[]): Promise<string> {
    const binary = await builtBinary();
    const port = this.address === "" ? "0" : new URL(this.address).port;
    const server = spawn(process.execPath, [binary, "serve", "--port", port, "--root", this.root, ...args], {
      env: this.#env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#server = server;
    let said = "";
    this.address = await new Promise<string>((resolve, reject) => {
      server.stderr?.on("data", (chunk) => {
        said += chunk;
        const found = /Page {2}(http\S+)/.exec(said)?.[1];
        if (found) resolve(found.replace("0.0.0.0", "127.0.0.1"));
      });
      server.on("exit", () => reject(new Error(`The server ended:\n${said}`)));
    });
    return this.address;
  }

  /** Calls a tool as an agent does. */
  async call(tool: string, input: object): Promise<unknown> {
    const response = await fetch(`${this.address}tools/${tool}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(input),
    });
    return response.json();
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server || server.exitCode !== null) return;
    server.kill("SIGTERM");
    await once(server, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(dirname(this.root), { recursive: true, force: true });
  }

  get #env() {
    return {
      ...process.env,
      CONTEXTFUL_HOME: this.home,
      CONTEXTFUL_PUSH_AT_SHUTDOWN: "false",
      HOME: this.home,
      GIT_AUTHOR_NAME: "Ana",
      GIT_AUTHOR_EMAIL: "ana@example.org",
      GIT_COMMITTER_NAME: "Ana",
      GIT_COMMITTER_EMAIL: "ana@example.org",
    };
  }
}

/** A small shop with code in two languages, documents and history. */
export const SHOP: Readonly<Record<string, string>> = {
  "go.mod": "module example.org/shop\n",
  "upload/upload.go": `package upload

// Retry sends a file again until the server accepts it.
func Retry(send func() error) error {
	for attempt := 0; attempt < 3; attempt++ {
		if send() == nil {
			return nil
		}
	}
	return errFailed
}
`,
  "web/cart.ts": `/** Adds up the prices of a cart. */
export function totalOf(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
`,
  "docs/release.md": "# Release\n\nRoll back a release with the previous tag.\n",
  "README.md": "# Shop\n\nA shop for tests.\n",
};
