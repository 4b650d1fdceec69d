import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTeamMemory } from "../../src/capabilities/team-memory/index.ts";
import { invoke } from "../../src/core/tool.ts";
import { builtBinary } from "../support/dist.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;

function project() {
  const dir = tempDir();
  const root = join(dir.path, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  const store = join(root, ".context-teleport");
  const env = { CONTEXTFUL_HOME: join(dir.path, "home") };
  return {
    root,
    store,
    env,
    /** What a fresh process sees. */
    async look(name: string, input: object): Promise<unknown> {
      const tool = openTeamMemory(testMachine(root)).tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(name);
      return invoke(tool, input, testCall());
    },
    json: (path: string) => JSON.parse(readFileSync(join(store, path), "utf8")) as Record<string, unknown>,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** A busy machine may need longer for all the others than a writer waits: it is then told to try again. */
async function written(
  client: ReturnType<typeof startClient>,
  tool: string,
  input: unknown,
): Promise<string> {
  const answer = JSON.stringify((await client.callTool(tool, input)).result);
  return answer.includes("Try again when it is done") ? written(client, tool, input) : answer;
}

test("eight processes write at once and nothing is lost", async () => {
  using place = project();
  const binary = await builtBinary();
  const clients = Array.from({ length: 8 }, () =>
    startClient(binary, { args: ["mcp", "--root", place.root], env: place.env }),
  );
  try {
    await Promise.all(clients.map((client) => client.initialize()));
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: 12 }, (_, at) => [
        written(client, "context_add_knowledge", { key: `k-${index}-${at}`, content: `${index} ${at}` }),
        written(client, "context_record_decision", { title: `D ${index} ${at}` }),
        written(client, "context_append_session", { summary: `S ${index} ${at}` }),
      ]).flat(),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => !answer.includes('\\"ok\\"'))).toEqual([]);
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
  expect(Object.keys((await place.look("context_get", { dotpath: "knowledge" })) as object)).toHaveLength(96);
  const decisions = (await place.look("context_get", { dotpath: "decisions" })) as { id: number }[];
  expect(decisions.map(({ id }) => id)).toEqual(Array.from({ length: 96 }, (_, index) => index + 1));
  expect(readFileSync(join(place.store, "history/sessions.ndjson"), "utf8").trim().split("\n")).toHaveLength(
    96,
  );
});

test("a server killed at a random moment leaves each entry old or new, and keeps what it acknowledged", async () => {
  using place = project();
  const binary = await builtBinary();
  let acknowledged = 0;
  for (let round = 0; round < 25; round += 1) {
    const client = startClient(binary, { args: ["mcp", "--root", place.root], env: place.env });
    await client.initialize();
    const first = acknowledged + 1;
    const calls = Array.from({ length: 12 }, (_, at) =>
      client
        .callTool("context_add_knowledge", { key: "k", content: `version ${first + at}\n`.repeat(200) })
        .then(
          () => first + at,
          () => 0,
        ),
    );
    await calls[round % 6];
    client.child.kill("SIGKILL");
    await client.exit;
    acknowledged = Math.max(acknowledged, ...(await Promise.all(calls)));
    const text = (await place.look("context_get", { dotpath: "knowledge.k" })) as string;
    const version = Number(/^version (\d+)\n/.exec(text)?.[1]);
    expect(text).toBe(`version ${version}\n`.repeat(200));
    expect(version).toBeGreaterThanOrEqual(acknowledged);
    expect(place.json("knowledge/.meta.json")).toHaveProperty(["k.md"]);
    expect(existsSync(join(place.store, ".local/journal.json"))).toBe(false);
    acknowledged = version;
  }
});

const CALLS = ["rename", "fsync", "unlink", "rmdir"] as const;

/** Adds a private entry over a public one, with the n-th system call of a kind failing as told; `false` once there is no n-th. */
function addWithFault(
  place: ReturnType<typeof project>,
  binary: string,
  fault: string,
  content: string,
): boolean {
  const call = fault.split(":")[0] ?? "";
  const { stderr, signal } = spawnSync(
    "strace",
    [
      "-f",
      "-qq",
      "-e",
      `trace=${call}`,
      "-e",
      `inject=${fault}`,
      process.execPath,
      binary,
      "memory",
      "knowledge",
      "add",
      "k",
      content,
      "--scope",
      "private",
      "--root",
      place.root,
    ],
    // One thread for files, so that the calls of a kind have one order.
    { encoding: "utf8", env: { ...process.env, ...place.env, UV_THREADPOOL_SIZE: "1" } },
  );
  return signal === "SIGKILL" || /INJECTED/.test(stderr);
}

/** The entry is wholly as it was, or wholly as it was to be: text and scope together. */
async function expectWhole(place: ReturnType<typeof project>, content: string) {
  const text = await place.look("context_get", { dotpath: "knowledge.k" });
  const scope = (
    (await place.look("context_get_scope", { entry_type: "knowledge", key: "k" })) as { scope: string }
  ).scope;
  expect([`public: old`, `private: ${content}`]).toContain(`${scope}: ${String(text)}`);
  for (const file of ["knowledge/.scope.json", ".local/scope.json"]) {
    if (existsSync(join(place.store, file))) place.json(file);
  }
}

test.skipIf(!hasStrace).each(CALLS)(
  "killed at any %s the entry is old or new, and the next call finishes it",
  async (call) => {
    const binary = await builtBinary();
    for (let when = 1; when <= 12; when += 1) {
      using place = project();
      await place.look("context_add_knowledge", { key: "k", content: "old" });
      const content = `new ${when}`;
      const wasKilled = addWithFault(place, binary, `${call}:signal=KILL:when=${when}`, content);
      await expectWhole(place, content);
      expect(await place.look("context_add_knowledge", { key: "k", content: "after" })).toMatchObject({
        status: "ok",
      });
      if (when === 1 && call !== "rmdir") expect(wasKilled).toBe(true);
      if (!wasKilled) break;
    }
  },
);

test.skipIf(!hasStrace).each([
  ["rename", "ENOSPC"],
  ["fsync", "EIO"],
  ["fsync", "ENOSPC"],
] as const)("where %s fails with %s nothing is torn", async (call, error) => {
  const binary = await builtBinary();
  for (let when = 1; when <= 8; when += 1) {
    using place = project();
    await place.look("context_add_knowledge", { key: "k", content: "old" });
    const content = `new ${when}`;
    const hasFailed = addWithFault(place, binary, `${call}:error=${error}:when=${when}`, content);
    await expectWhole(place, content);
    expect(await place.look("context_add_knowledge", { key: "k", content: "after" })).toMatchObject({
      status: "ok",
    });
    if (when === 1) expect(hasFailed).toBe(true);
    if (!hasFailed) break;
  }
});
