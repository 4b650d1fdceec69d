import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Runs a command in its own terminal. `script` has other flags on other systems. */
const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux");
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

let binary = "";
beforeAll(async () => {
  binary = await builtBinary();
});

/** Runs `contextful setup` in a project at a terminal; `answer` is called when the question is shown. */
function personIn(directory: string) {
  const root = join(directory, "project");
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
  const env = { PATH: process.env["PATH"], HOME: directory, CONTEXTFUL_HOME: join(directory, "data") };
  const quoted = [process.execPath, binary].map((word) => `'${word}'`).join(" ");
  const setup = (args: string, answer: () => string) =>
    new Promise<{ screen: string; exit: number | null }>((resolve, reject) => {
      const child = spawn("script", ["-qec", `exec ${quoted} setup ${args}`, "/dev/null"], {
        cwd: root,
        env,
      });
      let screen = "";
      let isAnswered = false;
      child.stdout.on("data", (chunk) => {
        screen += chunk;
        if (isAnswered || !screen.endsWith("[y/N] ")) return;
        isAnswered = true;
        child.stdin.write(answer());
      });
      child.once("error", reject);
      child.once("close", (exit) => resolve({ screen: screen.replaceAll("\r", ""), exit }));
    });
  return { root, file: join(root, ".mcp.json"), setup };
}

describe.skipIf(!hasTerminal)("setup at a terminal (needs `script` of util-linux)", () => {
  test.each(["y", "YES"])("shows the plan, asks, and writes on %s", async (answer) => {
    using dir = tempDir();
    const { root, file, setup } = personIn(dir.path);
    const { screen, exit } = await setup("claude-code cursor", () => `${answer}\n`);
    expect(screen).toMatch(/\+ {2}"mcpServers".*\ncreate .*\nWrite these 2 files\? \[y\/N\] /s);
    expect(screen.split("[y/N] ")[1]).toMatch(/^\w+\n(?:created {3}\S.*\n(?: {10}.*\n)*){2}$/);
    expect([existsSync(file), existsSync(join(root, ".cursor/mcp.json")), exit]).toEqual([true, true, 0]);
  });

  test.each([
    { name: "n", answer: "n\n" },
    { name: "nothing", answer: "\n" },
    { name: "another word", answer: "yesterday\n" },
    { name: "the end of input", answer: CTRL_D },
    { name: "Ctrl-C", answer: CTRL_C },
  ])("writes nothing on $name, and says so", async ({ answer }) => {
    using dir = tempDir();
    const { file, setup } = personIn(dir.path);
    const { screen, exit } = await setup("claude-code", () => answer);
    expect(screen).toContain("Write this file? [y/N] ");
    const code = answer === CTRL_C ? 130 : 1;
    expect([screen.endsWith("\nNothing was written.\n"), existsSync(file), exit]).toEqual([
      true,
      false,
      code,
    ]);
  });

  test("refuses a file that changed after its plan was shown", async () => {
    using dir = tempDir();
    const { file, setup } = personIn(dir.path);
    const { screen, exit } = await setup("claude-code", () => {
      writeFileSync(file, '{"mine":1}');
      return "y\n";
    });
    expect(screen).toContain("it changed while it was being planned");
    expect([readFileSync(file, "utf8"), exit]).toEqual(['{"mine":1}', 1]);
  });

  test.each(["--plan", "--json", "--yes", "--print", "--undo"])("does not ask with %s", async (flag) => {
    using dir = tempDir();
    const { setup } = personIn(dir.path);
    const { screen, exit } = await setup(`claude-code ${flag}`, () => "n\n");
    expect([screen.includes("[y/N]"), exit]).toEqual([false, 0]);
  });
});
