import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { makeTeam } from "../support/git-team.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Kills of each command. More: `ATTACK_KILLS=40 npm run check:attack -- -t killed`. */
const KILLS = Number(process.env["ATTACK_KILLS"] ?? 2);

/** What is killed, and what must hold after one undisturbed run of the same command. */
const KILLED = [
  { args: ["code", "index", "."], check: ["code", "search", "handle7", "."], shows: "f7.ts" },
  { args: ["documents", "sync", "all"], check: ["documents", "search", "Words"], shows: "Title" },
  {
    args: ["memory", "knowledge", "add", "kept", "new words"],
    check: ["memory", "knowledge", "get", "kept"],
    shows: "new words",
  },
  { args: ["memory", "push"], check: ["memory", "status"], shows: "" },
  { args: ["directories", "init"], check: ["directories", "list"], shows: "" },
  { args: ["setup", "--yes"], check: ["setup", "--yes"], shows: "" },
  {
    args: ["caches", "build", "--force", "--sources", "docs", "--cache", "cache"],
    check: ["caches", "verify", "--cache", "cache"],
    shows: "",
  },
] as const;

function killedTeam() {
  const team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  clone.write("contextful.toml", '[connectors.filesystem.d]\nroot = "docs"\ninclude = ["**/*"]\n');
  for (let at = 0; at < 60; at += 1) {
    clone.write(
      `src/f${at}.ts`,
      `/** Handles ${at}. */\nexport function handle${at}() { return ${at}; }\n`.repeat(10),
    );
    clone.write(`docs/d${at}.md`, `# Title ${at}\n\n${"Words. ".repeat(200)}\n`);
  }
  mkdirSync(join(team.home, ".claude"), { recursive: true });
  const env = {
    PATH: process.env["PATH"],
    HOME: team.home,
    CONTEXTFUL_HOME: join(team.home, "data"),
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  return { team, clone, options: { cwd: clone.path, env } };
}

test.each(KILLED)(
  "$args killed at random moments loses nothing, and the next run works",
  async ({ args, check, shows }) => {
    const { team, clone, options } = killedTeam();
    using _team = team;
    const binary = await builtBinary();
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...words], {
        ...options,
        encoding: "utf8",
      });
      return { status, text: `${stdout}${stderr}` };
    };
    expect(run("memory", "knowledge", "add", "kept", "old words").status).toBe(0);
    const started = Date.now();
    expect(run(...args)).toMatchObject({ status: 0 });
    const lasts = Date.now() - started;
    for (let kill = 0; kill < KILLS; kill += 1) {
      clone.write(`src/f${kill % 60}.ts`, `export function handle${kill % 60}() { return "${kill}"; }\n`);
      clone.write(`docs/d${kill % 60}.md`, `# Title ${kill}\n\nWords of ${kill}.\n`);
      clone.write(`.context-teleport/knowledge/k${kill}.md`, `Entry ${kill}\n`);
      const child = spawn(process.execPath, [binary, ...args], { ...options, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await Promise.race([ended, pause(Math.random() * lasts)]);
      child.kill("SIGKILL");
      await ended;
      expect(run("memory", "knowledge", "get", "kept").text).toMatch(/^(?:old|new) words\n$/);
    }
    expect(run(...args)).toMatchObject({ status: 0 });
    const after = run(...check);
    expect([after.status, after.text]).toEqual([0, expect.stringContaining(shows)]);
    const left = [
      ...readdirSync(clone.path, { recursive: true, encoding: "utf8" }),
      ...readdirSync(team.home, { recursive: true, encoding: "utf8" }),
    ];
    expect(left.filter((path) => /\.tmp$|contextful-[^/]*\.index$/.test(path))).toEqual([]);
  },
);

test.each([2, 8])("%d servers write to one project at once, and nothing is lost", async (count) => {
  using dir = tempDir();
  const project = join(dir.path, "project");
  mkdirSync(project);
  execFileSync("git", ["init", "-q", project]);
  for (let at = 0; at < 20; at += 1)
    writeFileSync(join(project, `f${at}.ts`), `export const value${at} = ${at};\n`);
  const binary = await builtBinary();
  const env = { HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") };
  const clients = Array.from({ length: count }, () => startClient(binary, { cwd: project, env }));
  await using _servers = {
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) await client[Symbol.asyncDispose]();
    },
  };
  await Promise.all(clients.map((client) => client.initialize()));
  const ROUNDS = 5;
  // A busy machine may need longer for all the others than a writer waits: it is then told to try again.
  const answered = async (
    client: (typeof clients)[number],
    tool: string,
    input: unknown,
  ): Promise<string> => {
    const answer = JSON.stringify(await client.callTool(tool, input));
    return answer.includes("Try again when it is done") ? answered(client, tool, input) : answer;
  };
  const answers = await Promise.all(
    clients.flatMap((client, server) =>
      Array.from({ length: ROUNDS }, async (_, round) => {
        writeFileSync(join(project, `f${round}.ts`), `export const value${round} = "${server}";\n`);
        return Promise.all([
          answered(client, "context_add_knowledge", {
            key: `k-${server}-${round}`,
            content: `words ${server} ${round}`,
          }),
          answered(client, "context_record_decision", {
            title: `Decision ${server} ${round}`,
            context: "c",
            decision: "d",
          }),
          answered(client, "code_search", { query: `value${round}` }),
        ]);
      }),
    ),
  );
  const failed = answers.flat().filter((answer) => /"isError":true|"error":/.test(answer));
  expect(failed).toEqual([]);
  const store = join(project, ".context-teleport");
  const knowledge = readdirSync(join(store, "knowledge")).filter((name) => name.startsWith("k-"));
  const decisions = readdirSync(join(store, "knowledge", "decisions")).filter((name) => name.endsWith(".md"));
  expect([knowledge.length, new Set(decisions.map((name) => name.slice(0, 4))).size]).toEqual([
    count * ROUNDS,
    count * ROUNDS,
  ]);
  expect(readFileSync(join(store, "knowledge", "k-0-0.md"), "utf8")).toContain("words 0 0");
});
