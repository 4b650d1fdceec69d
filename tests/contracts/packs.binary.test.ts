import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { PROJECT, packsProject, TASK } from "./packs-project.ts";

const project = packsProject();
let binary: string;
beforeAll(async () => {
  binary = await builtBinary();
  await project.fill();
});
afterAll(() => project[Symbol.asyncDispose]());

const run = (args: readonly string[], { root = project.root, env = {} } = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, "pack", ...args, "--root", root], {
    env: { ...project.env, ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

test("every process, locale and time zone gives the same bytes", async () => {
  const { markdown } = await project.pack({});
  const places = [
    { LC_ALL: "C", TZ: "UTC" },
    { LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kolkata" },
    { LANG: "sv_SE.UTF-8", TZ: "America/St_Johns" },
  ];
  expect(places.map((env) => run([TASK], { env }).stdout)).toEqual(places.map(() => `${markdown}\n`));
});

test("a copy of the project with files created in another order gives the same bytes", async () => {
  const { markdown } = await project.pack({});
  await using other = packsProject(Object.fromEntries(Object.entries(PROJECT).reverse()));
  await other.fill();
  expect((await other.pack({})).markdown).toBe(markdown);
});

test("the command line accepts a budget, rooms, a range and packs to exclude, and prints JSON", () => {
  const given = JSON.parse(
    run([TASK, "--budget", "900", "--only", "team-memory,code-index", "--json"]).stdout,
  );
  expect(new Set(given.items.map(({ room }: { room: string }) => room))).toEqual(
    new Set(["team-memory", "code-index"]),
  );
  expect(given.tokens).toBeLessThanOrEqual(900);
  const rest = JSON.parse(
    run([TASK, "--only", "team-memory", "--only", "code-index", "--except", given.pack_id, "--json"]).stdout,
  );
  const ids = new Set(given.items.map(({ id }: { id: string }) => id));
  expect(rest.items.filter(({ id }: { id: string }) => ids.has(id))).toEqual([]);
  expect(run([TASK, "--diff", "nowhere..HEAD"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Not a git range here: nowhere..HEAD"),
  });
  expect(run([TASK, "--only", "kitchen"]).stderr).toContain("--only");
});

test("verify reports an unchanged pack and then what changed, also by its exit code", () => {
  const { pack_id } = JSON.parse(run([TASK, "--json"]).stdout);
  expect(run(["verify", pack_id])).toMatchObject({ status: 0, stdout: `${pack_id}: the same bytes again\n` });
  project.write(".context-teleport/conventions/retries.md", "Retries wait a second.\n");
  const { status, stdout } = run(["verify", pack_id]);
  project.write(
    ".context-teleport/conventions/retries.md",
    PROJECT[".context-teleport/conventions/retries.md"] ?? "",
  );
  expect([status, stdout.split("\n")]).toEqual([
    4,
    [`${pack_id}: changed since (team-memory)`, "  ~ memory:.context-teleport/conventions/retries.md", ""],
  ]);
  expect(run(["verify", "0123456789abcdef"]).stderr).toContain("No pack 0123456789abcdef");
});

test("over MCP a pack is only text", async () => {
  await using client = startClient(binary, { cwd: project.root, env: { CONTEXTFUL_HOME: project.home } });
  await client.initialize();
  const pack = async () => (await client.callTool("context_pack", { task: TASK })).result;
  // The test before this one wrote files. On a busy machine the first packs may say that they are behind.
  let result = await pack();
  while (/changed/.test(JSON.stringify(result))) result = await pack();
  const { markdown } = await project.pack({});
  expect(result).toEqual({ content: [{ type: "text", text: markdown }], isError: false });
});
