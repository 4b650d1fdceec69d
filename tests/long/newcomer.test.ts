import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

/**
 * README's first hour, as a new user has it: the packed tarball in a temporary home, on a repository with history, with no
 * compiler in PATH and, if the system allows it, without a network after the download.
 */
const scratch = mkdtempSync(join(tmpdir(), "contextful-newcomer-"));
const tools = join(scratch, "tools");
const user = join(scratch, "user");
const project = join(scratch, "project");
const home = join(scratch, "home");
const canCutNetwork = spawnSync("unshare", ["-rn", "true"]).status === 0;
const MEGABYTES = 60;
const PROGRAMS = ["node", "npm", "npx", "git", "sh", "curl", "cat", "unshare"];

const environment = () => ({
  PATH: `${join(user, "node_modules", ".bin")}:${tools}`,
  HOME: home,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "New",
  GIT_AUTHOR_EMAIL: "new@example.com",
  GIT_COMMITTER_NAME: "New",
  GIT_COMMITTER_EMAIL: "new@example.com",
});

/** Runs a line of README as a shell does, without a network. */
function shell(line: string, { network = false } = {}) {
  const cut = canCutNetwork && !network ? ["unshare", "-rn"] : [];
  const [program = "sh", ...args] = [...cut, "sh", "-c", line];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: project,
    env: environment(),
    encoding: "utf8",
    input: "",
  });
  return { line, status, stdout, stderr };
}

const FILES: readonly (readonly [message: string, files: Readonly<Record<string, string>>])[] = [
  ["start", { "README.md": "# Shop\n\nA small shop.\n", "package.json": '{ "name": "shop" }\n' }],
  [
    "uploads",
    {
      "src/upload.ts":
        "/** Uploads a file and retries when the network fails. */\nexport async function uploadWithRetry(path: string, retries = 3): Promise<void> {\n  for (let attempt = 0; attempt < retries; attempt++) await send(path);\n}\nasync function send(_path: string): Promise<void> {}\n",
    },
  ],
  [
    "configuration and documents",
    {
      "src/config.ts":
        "/** Parses the config of the shop. */\nexport const parseConfig = (text: string): unknown => JSON.parse(text);\n",
      "docs/deploy.md": "# Deploy\n\nDeploy to staging first, then to production.\n",
    },
  ],
];

beforeAll(() => {
  for (const directory of [tools, user, project, home]) mkdirSync(directory);
  for (const name of PROGRAMS) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found !== "") symlinkSync(found, join(tools, name));
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, env: environment() });
  git("init", "-q", "-b", "main");
  for (const [message, files] of FILES) {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(project, dirname(path)), { recursive: true });
      writeFileSync(join(project, path), content);
    }
    git("add", ".");
    git("commit", "-qm", message);
  }
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("the packed tarball installs without a compiler, a script or a warning, and is small", () => {
  execFileSync(process.execPath, [resolve("node_modules/tsdown/dist/run.mjs"), "--log-level", "error"], {
    stdio: "ignore",
  });
  const tarball = execFileSync(process.execPath, ["scripts/pack.mjs", scratch], { encoding: "utf8" }).trim();
  writeFileSync(join(user, "package.json"), '{ "private": true }');
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", tarball], {
    cwd: user,
    // The address of the registry may be in the configuration of whoever runs this.
    env: { ...process.env, PATH: tools },
    encoding: "utf8",
  });
  const warnings = stderr
    .split("\n")
    .filter((line) => /warn/i.test(line) && !/user config|env config/.test(line));
  expect({ status, warnings }).toEqual({ status: 0, warnings: [] });
  expect(readdirSync(join(user, "node_modules"))).not.toContain("better-sqlite3");
  expect(megabytesIn(join(user, "node_modules"))).toBeLessThan(MEGABYTES);
});

describe("README", () => {
  const readme = readFileSync("README.md", "utf8");
  const lines = readme
    .split("\n")
    .filter((line) => line.startsWith("    "))
    .map((line) => line.replace(/\s+#.*$/, "").trim());
  /** What needs the clone or a network is run by CI; what other programs do is checked below. */
  const commands = lines.filter((line) => line.startsWith("contextful "));

  test("has only commands that this test knows", () => {
    const others = lines.filter(
      (line) => !/^(contextful |curl -s localhost:7331\/|npm install |claude |codex )/.test(line),
    );
    expect([commands.length > 8, others]).toEqual([true, []]);
  });

  test("every command works in a new project, without a network, and says something", () => {
    for (const line of commands) {
      const answer = shell(line);
      expect({ ...answer, isSilent: answer.stdout.trim() === "" }).toMatchObject({
        line,
        status: 0,
        isSilent: false,
      });
    }
  });

  test.each([
    ['contextful code search . "where do we retry"', "uploadWithRetry"],
    ['contextful pack "add retries to uploads"', "uploadWithRetry"],
    ['contextful memory search "database"', "PostgreSQL"],
    ['contextful documents search "deploy"', "docs/deploy.md"],
  ])("%s finds it", (line, found) => {
    expect(shell(line).stdout).toContain(found);
  });

  test("the lines for clients, and the entry that setup writes, start a server that lists tools", () => {
    const Entry = z.object({ command: z.string(), args: z.array(z.string()) });
    const printed = JSON.parse(shell("contextful setup cursor --scope user --print").stdout);
    const { command, args } = z.object({ mcpServers: z.object({ contextful: Entry }) }).parse(printed)
      .mcpServers.contextful;
    const servers = [
      [command, ...args].join(" "),
      ...lines
        .filter((each) => /^(claude|codex) /.test(each))
        .map((line) => line.slice(line.indexOf(" -- ") + 4)),
    ];
    expect(servers).toHaveLength(3);
    for (const server of servers) expect(toolsListedBy(server), server).toBe(true);
  });

  test("start says where to connect before it indexes, and the curl lines find something", async () => {
    const port = await freePort();
    await using server = start(port);
    await server.said("indexed");
    const order = ["MCP ", "Indexing", "indexed"].map((part) => server.text().indexOf(part));
    expect([order[0] !== -1, order]).toEqual([true, order.toSorted((one, other) => one - other)]);
    const answers = lines
      .filter((line) => line.startsWith("curl "))
      .map((line) => shell(line.replaceAll("7331", String(port)), { network: true }));
    expect(answers).toHaveLength(4);
    for (const { line, stdout } of answers) expect(stdout.length, line).toBeGreaterThan(200);
    expect(answers.find(({ line }) => line.includes("/tools/search"))?.stdout).toContain("docs/deploy.md");
  });

  test("while it serves, the page answers a browser, and a search finds a new file or says it is behind", async () => {
    const port = await freePort();
    await using server = start(port);
    await server.said("indexed");
    const base = `http://127.0.0.1:${port}`;
    const page = await fetch(base);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>")]);
    const file = join(project, "src", "coupon.ts");
    writeFileSync(file, "export function redeemCoupon(code: string) { return code; }\n");
    const search = async () =>
      Found.parse(
        await (
          await fetch(`${base}/tools/code_search`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ query: "redeemCoupon" }),
          })
        ).json(),
      );
    let found = await search();
    // On a busy machine the index may be behind for a moment; then the answer says so.
    for (; found.results.length === 0; found = await search())
      expect(found.indexing === true || found.statistics.files_changed > 0).toBe(true);
    rmSync(file);
    expect(found.results[0]?.file.path).toBe("src/coupon.ts");
  });

  test("doctor names the SQLite in use and no problem, and nothing in the project was touched unasked", () => {
    const Doctor = z.object({
      findings: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string() })),
    });
    const { findings } = Doctor.parse(JSON.parse(shell("contextful doctor --json").stdout));
    expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const driver = major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "node-sqlite3-wasm";
    expect(findings.find(({ name }) => name === "sqlite")?.detail).toContain(driver);
    const changed = shell("git status --porcelain -uall").stdout.split("\n").filter(Boolean);
    expect(
      changed.filter((line) => !/ (\.context-teleport|\.context-caches)\/|\.context\.yaml$/.test(line)),
    ).toEqual([]);
    expect(existsSync(join(project, "AGENTS.md"))).toBe(false);
  });
});

test("a missing part stops the server at once, with the command that repairs it", () => {
  const part = join(user, "node_modules", "contextful", "models", "static.bin");
  const content = readFileSync(part);
  rmSync(part);
  for (const command of ["start --port 0", "mcp"]) {
    const { status, stderr } = shell(`contextful ${command}`, { network: true });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/static\.bin missing\. Run: npm install/)]);
  }
  writeFileSync(part, content);
});

const Found = z.object({
  results: z.array(z.object({ file: z.object({ path: z.string() }) })),
  statistics: z.object({ files_changed: z.int() }),
  indexing: z.boolean().optional(),
});

/** Whether a server that is started by this line answers `tools/list`. */
function toolsListedBy(server: string): boolean {
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "newcomer", version: "1" },
  };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
    { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} },
  ].map((message) => `'${JSON.stringify(message)}'`);
  const { stdout } = shell(`printf '%s\\n' ${messages.join(" ")} | ${server}`);
  return stdout.split("\n").some((text) => text.includes('"tools"'));
}

function megabytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) =>
    join(directory, name),
  );
  const bytes = files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0);
  return bytes / 1_000_000;
}

function freePort(): Promise<number> {
  return new Promise((settle) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => settle(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** `contextful start` in the project; what it says is collected until it is stopped. */
function start(port: number) {
  const child: ChildProcess = spawn("contextful", ["start", "--port", String(port)], {
    cwd: project,
    env: environment(),
  });
  let text = "";
  const waiting = new Set<() => void>();
  child.stderr?.on("data", (chunk) => {
    text += chunk;
    for (const look of waiting) look();
  });
  const said = (part: string) =>
    new Promise<void>((settle) => {
      const look = () => {
        if (!text.includes(part)) return;
        waiting.delete(look);
        settle();
      };
      waiting.add(look);
      look();
    });
  const stop = async () => {
    const ended = new Promise((settle) => child.once("close", settle));
    child.kill("SIGTERM");
    await ended;
  };
  return { text: () => text, said, [Symbol.asyncDispose]: stop };
}
