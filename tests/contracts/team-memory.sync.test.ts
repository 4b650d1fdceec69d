import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { type Clone, makeTeam, openClone, type Team } from "../support/git-team.ts";
import { madeUp } from "../support/made-up.ts";
import { startClient } from "../support/stdio-client.ts";

const FILE = ".context-teleport/knowledge/architecture.md";
const commit = expect.stringMatching(/^[0-9a-f]{7,40}$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const error = (message: unknown) => ({ status: "error", error: message });

type Input = Readonly<Record<string, unknown>>;
type Step = readonly [who: "ana" | "ben", tool: string, input: Input, expected: unknown, isError?: true];

function serve(binary: string, team: Team, clone: Clone, env: Readonly<Record<string, string>> = {}) {
  return startClient(binary, {
    args: ["mcp", "--root", clone.path],
    env: {
      CONTEXTFUL_HOME: team.home,
      MCP_CALLER: "mcp:test",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      ...env,
    },
  });
}

/** The answer as a client gets it: the text's JSON, and whether it is flagged. */
function answerOf({ result }: { readonly result?: unknown }): { value: unknown; isError: boolean } {
  const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean }; // The protocol's own shape.
  return { value: JSON.parse(content[0]?.text ?? ""), isError };
}

function pairOf(team: Team): readonly [Clone, Clone] {
  const [ana, ben] = team.clones;
  if (!ana || !ben) throw new Error("two clones");
  return [ana, ben];
}

/** Two clients, each on a clone of its own; the calls are made in this order. */
const STEPS: readonly Step[] = [
  ["ana", "context_merge_status", {}, { status: "clean" }],
  ["ana", "context_merge_finalize", {}, error("No pending conflicts to finalize"), true],
  ["ana", "context_merge_abort", {}, error("No pending conflicts to abort"), true],
  ["ana", "context_conflict_detail", { file_path: FILE }, error("No pending conflicts"), true],
  ["ana", "context_resolve_conflict", { file_path: FILE, content: "" }, error("No pending conflicts"), true],
  [
    "ana",
    "context_sync_pull",
    { strategy: "mine" },
    error("Invalid strategy 'mine'. Use: ours, theirs, agent."),
    true,
  ],
  ["ana", "context_sync_pull", { strategy: 1 }, error(expect.stringContaining("strategy")), true],
  ["ana", "context_sync_pull", {}, { status: "up_to_date" }],
  ["ana", "context_add_knowledge", { key: "architecture", content: "## A\na\n" }, expect.anything()],
  ["ana", "context_sync_push", { message: "first" }, { status: "pushed", commit, warnings: [] }],
  ["ana", "context_sync_push", {}, { status: "nothing_to_push" }],
  ["ben", "context_sync_pull", {}, expect.objectContaining({ status: "pulled", commit })],
  ["ana", "context_add_knowledge", { key: "architecture", content: "## A\nana\n" }, expect.anything()],
  ["ben", "context_add_knowledge", { key: "architecture", content: "## A\nben\n" }, expect.anything()],
  ["ana", "context_sync_push", {}, expect.objectContaining({ status: "pushed" })],
  [
    "ben",
    "context_sync_pull",
    { strategy: "agent" },
    { status: "conflicts", conflict_id: uuid, files: [FILE] },
  ],
  [
    "ben",
    "context_merge_status",
    {},
    {
      status: "conflicts",
      conflict_id: uuid,
      report: {
        has_conflicts: true,
        total: 1,
        unresolved: 1,
        conflicts: [
          {
            file_path: FILE,
            kind: "content",
            ours_preview: "## A\nben\n",
            theirs_preview: "## A\nana\n",
            resolved: false,
          },
        ],
        auto_resolved: [".context-teleport/knowledge/.meta.json"],
      },
    },
  ],
  ["ben", "context_sync_push", {}, error(expect.stringContaining("waits for decisions")), true],
  [
    "ben",
    "context_conflict_detail",
    { file_path: FILE },
    {
      file_path: FILE,
      kind: "content",
      resolved: false,
      ours_content: "## A\nben\n",
      theirs_content: "## A\nana\n",
      base_content: "## A\na\n",
      diff: `--- ${FILE} (ours)\n+++ ${FILE} (theirs)\n@@ -1,2 +1,2 @@\n ## A\n-ben\n+ana\n`,
      section_analysis: {
        has_section_conflicts: true,
        conflict_details: ["A: both sides changed it differently"],
        auto_merged_content: null,
      },
    },
  ],
  [
    "ben",
    "context_conflict_detail",
    { file_path: "../../etc/passwd" },
    error("No unresolved conflict for ../../etc/passwd"),
    true,
  ],
  [
    "ben",
    "context_resolve_conflict",
    { file_path: "other.md", content: "x" },
    error("No unresolved conflict for other.md"),
    true,
  ],
  ["ben", "context_merge_abort", {}, { status: "aborted" }],
  ["ben", "context_merge_status", {}, { status: "clean" }],
  ["ben", "context_get", { dotpath: "knowledge.architecture" }, "## A\nben\n"],
  ["ben", "context_sync_pull", { strategy: "agent" }, expect.objectContaining({ status: "conflicts" })],
  [
    "ben",
    "context_resolve_conflict",
    { file_path: FILE, content: "## A\nboth\n" },
    { status: "resolved", file_path: FILE, remaining: 0 },
  ],
  ["ben", "context_merge_finalize", {}, expect.objectContaining({ status: "merged", commit })],
  ["ben", "context_get", { dotpath: "knowledge.architecture" }, "## A\nboth\n"],
  ["ben", "context_sync_push", {}, expect.objectContaining({ status: "pushed" })],
  ["ana", "context_sync_pull", { strategy: "theirs" }, expect.objectContaining({ status: "pulled" })],
  ["ana", "context_get", { dotpath: "knowledge.architecture" }, "## A\nboth\n"],
];

test("the seven tools answer over MCP as the contract says, from the first push to a resolved conflict", async () => {
  using team = makeTeam(2);
  const [first, second] = pairOf(team);
  const binary = await builtBinary();
  await using ana = serve(binary, team, first);
  await using ben = serve(binary, team, second);
  await Promise.all([ana.initialize(), ben.initialize()]);
  for (const [who, tool, input, expected, isError = false] of STEPS) {
    const answer = answerOf(await (who === "ana" ? ana : ben).callTool(tool, input));
    expect({ who, tool, input, ...answer }).toEqual({ who, tool, input, value: expected, isError });
  }
});

test("a conflict shows no secret, and resolving it does not delete the secret that was not shown", async () => {
  using team = makeTeam(2);
  const [first, second] = pairOf(team);
  const binary = await builtBinary();
  const secret = `password: "${madeUp(16)}"`;
  const key = ["-----BEGIN PRIVATE KEY-----", madeUp(64), madeUp(64), "-----END PRIVATE KEY-----"].join("\n");
  const text = (a: string, b: string) => `## A\n${a}\n## B\n${b}\n${secret}\n${key}\n`;
  await using ana = serve(binary, team, first);
  await using ben = serve(binary, team, second);
  await Promise.all([ana.initialize(), ben.initialize()]);
  const call = async (client: typeof ana, tool: string, input: Input = {}) =>
    answerOf(await client.callTool(tool, input)).value;
  first.write(FILE, text("a", "b"));
  await call(ana, "context_sync_push");
  await call(ben, "context_sync_pull");
  first.write(FILE, text("ana", "b"));
  await call(ana, "context_sync_push");
  second.write(FILE, text("ben", "b"));
  expect(await call(ben, "context_sync_pull", { strategy: "agent" })).toMatchObject({ status: "conflicts" });
  const detail = await call(ben, "context_conflict_detail", { file_path: FILE });
  expect(JSON.stringify(detail)).not.toContain(secret.slice(-10));
  const marked = 'password: "[redacted: password]"\n[redacted: private key]\n\n\n\n';
  expect(detail).toMatchObject({ ours_content: `## A\nben\n## B\nb\n${marked}` });
  const resolve = (content: string) => call(ben, "context_resolve_conflict", { file_path: FILE, content });
  expect(await resolve("## A\ntoken: [redacted: npm token]\n")).toMatchObject({ status: "error" });
  expect(await resolve(`## A\nboth\n## B\nb\n${marked}`)).toMatchObject({ status: "resolved" });
  expect(await call(ben, "context_merge_finalize")).toMatchObject({ status: "merged" });
  expect(second.read(FILE)).toBe(text("both", "b"));
});

test.each([
  ["without a remote a push commits", "no remote", { status: "committed", commit, warnings: [] }, false],
  ["a detached HEAD is an error", "detached", error(expect.stringContaining("HEAD is detached")), true],
  [
    "outside a repository there is nothing to push",
    "no git",
    error(expect.stringContaining("Not a git repository")),
    true,
  ],
] as const)("%s", async (_name, situation, expected, isError) => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  if (situation === "no remote") clone.git("remote", "remove", "origin");
  if (situation === "detached") clone.git("checkout", "-q", "--detach");
  if (situation === "no git") {
    clone.remove(".git");
    mkdirSync(join(clone.path, ".context-teleport"));
  }
  clone.write(FILE, "x");
  await using client = serve(await builtBinary(), team, clone);
  await client.initialize();
  expect(answerOf(await client.callTool("context_sync_push"))).toEqual({ value: expected, isError });
});

test.each([
  ["pushes what the team should have", "", {}, true],
  ["does not push if the configuration says so", "[memory]\npush_at_shutdown = false\n", {}, false],
  ["does not push if the environment says so", "", { CONTEXTFUL_PUSH_AT_SHUTDOWN: "false" }, false],
])("a server that ends %s", async (_name, config, env, isPushed) => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  if (config !== "") clone.write("contextful.toml", config);
  await using client = serve(await builtBinary(), team, clone, env);
  await client.initialize();
  await client.callTool("context_add_knowledge", { key: "architecture", content: "said at the end" });
  await client.callTool("context_add_knowledge", { key: "diary", content: "CANARY", scope: "private" });
  await client.end();
  const files = team.remote.git("ls-tree", "-r", "--name-only", "main");
  expect([files.includes(FILE), files.includes("diary")]).toEqual([isPushed, false]);
});

test("a server that ends pushes its own entries, says so, and leaves those of a person alone", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const binary = await builtBinary();
  command(binary, team, clone)("knowledge", "add", "mine", "CANARY");
  await using client = serve(binary, team, clone);
  await client.initialize();
  const { value } = answerOf(
    await client.callTool("context_add_knowledge", { key: "architecture", content: "said at the end" }),
  );
  expect(value).toMatchObject({ sharing: expect.stringContaining("origin main when this server ends") });
  for (const [tool, input] of [
    ["memory_add", { content: "Said by an agent." }],
    ["decision_add", { title: "Use it", decision: "We use it." }],
  ] as const)
    expect(JSON.stringify(await client.callTool(tool, input))).toContain("origin main when this server ends");
  await client.end();
  expect(team.remote.git("show", `main:${FILE}`)).toBe("said at the end");
  expect(team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
  expect(client.stderr()).toMatch(/pushed .*knowledge\/architecture\.md.* to origin main/);
  expect(readFileSync(join(team.home, "audit.log"), "utf8")).toContain('"event":"memory_pushed"');
});

test("a server that ends creates no store and no commit if there was none", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const head = clone.git("rev-parse", "HEAD");
  await using client = serve(await builtBinary(), team, clone);
  await client.initialize();
  await client.callTool("context_search", { query: "anything" });
  await client.end();
  expect([clone.git("rev-parse", "HEAD"), clone.git("status", "--porcelain")]).toEqual([head, ""]);
});

/** A person's command in a clone. */
function command(binary: string, team: Team, clone: Clone) {
  return (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, "memory", ...args], {
      cwd: clone.path,
      encoding: "utf8",
      input: "",
      env: { ...process.env, CONTEXTFUL_HOME: team.home },
    });
    return { status, stdout, stderr };
  };
}

test("people sync and resolve conflicts with commands, and no command publishes unasked", async () => {
  using team = makeTeam(2);
  const [first, second] = pairOf(team);
  const binary = await builtBinary();
  const [ana, ben] = [command(binary, team, first), command(binary, team, second)];
  const before = team.remote.git("rev-parse", "main");
  expect(ana("knowledge", "add", "architecture", "## A\na\n").status).toBe(0);
  expect(team.remote.git("rev-parse", "main")).toBe(before);
  expect(ana("push").stdout).toMatch(/^pushed [0-9a-f]+/);
  expect(ben("pull").stdout).toMatch(/^pulled [0-9a-f]+/);
  first.write(FILE, "## A\nana\n");
  second.write(FILE, "## A\nben\n");
  ana("push");
  expect(ben("pull", "--strategy", "agent").stdout).toContain(FILE);
  expect(ben("conflicts").stdout).toBe(`conflicts\nopen    ${FILE} (content)\n`);
  expect(ben("conflicts", "show", FILE).stdout).toContain("-ben\n+ana\n");
  second.write("../merged.md", "## A\nboth\n");
  expect(ben("conflicts", "resolve", FILE, "--file", "../merged.md").stdout).toBe("resolved, 0 open\n");
  expect(ben("conflicts", "finalize").stdout).toMatch(/^merged [0-9a-f]+, 1 settled/);
  expect(ben("conflicts", "abort")).toMatchObject({
    status: 3,
    stderr: "error: No pending conflicts to abort\n",
  });
  expect(ben("conflicts").stdout).toBe("No conflicts: no merge waits for decisions.\n");
  expect(second.read(FILE)).toBe("## A\nboth\n");
});

test("with the driver installed, plain git merges the store as a pull does, in a folder of the repository too", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const folder = openClone(join(clone.path, "apps/web"));
  mkdirSync(join(folder.path, ".context-teleport"), { recursive: true });
  const run = command(await builtBinary(), team, folder);
  expect(run("init", "--merge-driver").status).toBe(0);
  expect(run("init", "--merge-driver").status).toBe(0);
  const commitAs = (text: string) => {
    folder.write(FILE, text);
    clone.git("add", "-A");
    clone.git("commit", "-qm", "edit");
  };
  commitAs("## A\na\n\n## B\nb\n");
  clone.git("checkout", "-qb", "side");
  commitAs("## A\na\n\n## N\nnew\n\n## B\nb\n");
  clone.git("checkout", "-q", "main");
  commitAs("## A\na1\n\n## B\nb\n");
  clone.git("merge", "-q", "side");
  expect(readFileSync(join(folder.path, FILE), "utf8")).toBe("## A\na1\n\n## N\nnew\n\n## B\nb\n");
});
