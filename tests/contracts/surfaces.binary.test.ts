import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The real binary, as a client starts it. */
async function start(root: string, options: { node?: string[]; args?: string[] } = {}) {
  return startClient(await builtBinary(), {
    args: ["mcp", "--root", root, ...(options.args ?? [])],
    env: { CONTEXTFUL_HOME: join(root, "..", "home-of-test") },
    ...(options.node === undefined ? {} : { node: options.node }),
  });
}

const project = () => {
  const dir = tempDir();
  const root = join(dir.path, "project");
  mkdirSync(root);
  writeFileSync(join(root, "README.md"), "# Project\n");
  return { root, home: join(dir.path, "home-of-test"), [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

describe("63–67: what comes in over stdin", () => {
  test("63: what a dependency prints goes to stderr; stdout carries only the protocol", async () => {
    using place = project();
    const noise = join(place.root, "noise.mjs");
    // Prints without end, from the moment the server has taken stdout for itself.
    writeFileSync(
      noise,
      `const own = process.stdout.write;
       setInterval(() => {
         if (process.stdout.write === own) return;
         console.log("noise");
         process.stdout.write("more noise\\n");
       }, 1);`,
    );
    await using client = await start(place.root, { node: ["--import", noise] });
    await client.initialize();
    const list = await client.request("tools/list");
    expect([client.strays, list.error, client.stderr().includes("noise")]).toEqual([[], undefined, true]);
  });

  test("64: a line of 100 MB is refused, memory stays bounded, and the next request is served", async () => {
    using place = project();
    await using client = await start(place.root);
    await client.initialize();
    const chunk = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent < 100; sent += 1) {
      if (!client.write(chunk)) await new Promise((resolve) => client.child.stdin?.once("drain", resolve));
    }
    client.write("\n");
    const refused = await client.answerTo(null);
    const list = await client.request("tools/list");
    expect([refused.error?.code, list.error]).toEqual([-32700, undefined]);
    const peak = /VmHWM:\s+(\d+) kB/.exec(linuxStatus(client.child.pid))?.[1];
    // Without a limit it would keep the line in memory several times.
    if (peak !== undefined) expect(Number(peak)).toBeLessThan(250_000);
  });

  test("64: half a line and then the end of input stop the server cleanly", async () => {
    using place = project();
    await using client = await start(place.root);
    await client.initialize();
    client.write('{"jsonrpc":"2.0","id":9,"met');
    expect([await client.end(), client.strays]).toEqual([0, []]);
  });

  test("64: fifty searches and then the end of input are all answered, though the first must index", async () => {
    using place = project();
    writeFileSync(join(place.root, "shop.ts"), "export const sumOfPrices = 1;\n");
    await using client = await start(place.root);
    await client.initialize();
    const searches = Array.from({ length: 50 }, () =>
      client.callTool("code_search", { query: "sumOfPrices" }),
    );
    expect(await client.end()).toBe(0);
    const answers = await Promise.all(searches);
    const found = answers.filter(({ result }) => JSON.stringify(result).includes("shop.ts"));
    expect([found.length, client.strays]).toEqual([50, []]);
  });

  test("66: a thousand calls at once are all answered", async () => {
    using place = project();
    await using client = await start(place.root);
    await client.initialize();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => client.request("tools/list")));
    const calls = await Promise.all(Array.from({ length: 1000 }, () => client.callTool("no_such_tool")));
    expect([
      answers.filter(({ error }) => error === undefined).length,
      calls.filter(({ error }) => error?.code === -32602).length,
    ]).toEqual([1000, 1000]);
  });
});

describe("start and end of the server", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends it with 0", async (signal) => {
    using place = project();
    await using client = await start(place.root);
    await client.initialize();
    client.child.kill(signal);
    expect(await client.exit).toBe(0);
  });

  test("listing the tools creates no data directory, index or lock", async () => {
    using place = project();
    await using client = await start(place.root);
    await client.initialize();
    await client.request("tools/list");
    await client.end();
    expect([existsSync(place.home), existsSync(join(place.root, ".context-teleport"))]).toEqual([
      false,
      false,
    ]);
  });

  test("it ends when its parent process is gone, even if stdin stays open", async () => {
    using place = project();
    // A pipe that nobody closes, so that only the parent's death can end it.
    const pipe = join(place.root, "pipe");
    spawnSync("mkfifo", [pipe]);
    const stdin = openSync(pipe, "r+");
    const serve = [await builtBinary(), "mcp", "--root", place.root];
    const middle = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ${JSON.stringify(serve)}, { stdio: ["inherit", "inherit", "ignore"] });
      process.stderr.write(child.pid + "\\n");
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["-e", middle], {
      env: { ...process.env, CONTEXTFUL_HOME: place.home },
      stdio: [stdin, "pipe", "pipe"],
    });
    const { stdout, stderr } = parent;
    if (!stdout || !stderr) throw new Error("Both were asked for as pipes.");
    const lineFrom = (input: Readable) =>
      new Promise<string>((resolve) => createInterface({ input }).once("line", resolve));
    const answer = lineFrom(stdout);
    const pid = Number(await lineFrom(stderr));
    // Both hold stdout; it closes when the last of them is gone.
    const gone = new Promise<string>((resolve) => stdout.once("close", () => resolve("gone")));
    try {
      writeSync(stdin, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      await answer;
      parent.kill("SIGKILL");
      expect(await gone).toBe("gone");
    } finally {
      closeSync(stdin);
      spawnSync("kill", ["-9", String(pid)]);
    }
  });
});

test.skipIf(process.platform === "win32")(
  "a client that never reads does not keep a server after a signal",
  async () => {
    using place = project();
    const child = spawn(process.execPath, [await builtBinary(), "mcp", "--root", place.root], {
      env: { PATH: process.env["PATH"], HOME: place.root, CONTEXTFUL_HOME: place.home },
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.stdin.on("error", () => {});
    // Far more answers than the pipe and this process hold unread.
    for (let id = 1; id <= 200; id += 1)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: {} })}\n`);
    const isFull = () => child.stdout.readableLength >= child.stdout.readableHighWaterMark;
    child.stdout.on("readable", () => {});
    while (!isFull()) await new Promise((resolve) => setImmediate(resolve));
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  },
);

describe("commands", () => {
  const run = async (args: readonly string[], cwd: string) => {
    const env = { PATH: process.env["PATH"], HOME: cwd, CONTEXTFUL_HOME: join(cwd, "..", "home-of-test") };
    const { status, stdout, stderr } = spawnSync(process.execPath, [await builtBinary(), ...args], {
      cwd,
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  test("doctor names Node, SQLite, git and the size of the tool list", async () => {
    using place = project();
    const { stdout } = await run(["doctor", "--json"], place.root);
    const { findings, tool_list: sizes } = JSON.parse(stdout);
    expect(findings.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["node", "sqlite", "git"]),
    );
    expect(sizes[0]).toEqual({ profile: "all", tools: expect.any(Number), tokens: expect.any(Number) });
  });

  test("a wider bind is refused without a token, and with a token file that others can read", async () => {
    using place = project();
    const token = join(place.root, "token");
    writeFileSync(token, "a token of some length\n", { mode: 0o644 });
    expect([
      await run(["serve", "--host", "0.0.0.0", "--port", "0"], place.root),
      await run(["serve", "--host", "0.0.0.0", "--port", "0", "--token-file", token], place.root),
    ]).toMatchObject([
      { status: 2, stderr: expect.stringContaining("without a token") },
      { status: 2, stderr: expect.stringContaining("chmod 600") },
    ]);
  });

  test("serve answers over HTTP and MCP until it is stopped", async () => {
    using place = project();
    const env = { PATH: process.env["PATH"], HOME: place.root, CONTEXTFUL_HOME: place.home };
    const child = spawn(
      process.execPath,
      [await builtBinary(), "serve", "--root", place.root, "--port", "0"],
      { env },
    );
    const exit = new Promise((resolve) => child.once("close", resolve));
    const said: string[] = [];
    const address = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        said.push(line);
        const found = /MCP\s+(http:\S+)\/mcp/.exec(line)?.[1];
        if (found) resolve(found);
      });
      void exit.then(() => reject(new Error(said.join("\n"))));
    });
    const health = await (await fetch(`${address}/healthz`)).json();
    const outside = await fetch(`${address}/tools/get_status`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path: "/" }),
    });
    await outside.text();
    child.kill("SIGTERM");
    expect([health, outside.ok, await exit]).toEqual([
      { status: "ok", version: expect.any(String) },
      false,
      0,
    ]);
  });

  test("it ends quietly if the reader of its output leaves early", async () => {
    const bin = await builtBinary();
    const { stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" --help | true`], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

function linuxStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
