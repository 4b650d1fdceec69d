import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DomainError } from "../../src/core/errors.ts";
import { loadTokenizer } from "../../src/core/tokens/tokenizer.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { testCall } from "../support/machine.ts";
import { PackAnswer, PROJECT, packsProject, TASK } from "./packs-project.ts";

const count = await loadTokenizer();

describe("a pack of every room", () => {
  const project = packsProject();
  beforeAll(() => project.fill());
  afterAll(() => project[Symbol.asyncDispose]());

  test("contains conventions, decisions, directories, the code with its test and caller, and documents", async () => {
    const { items } = await project.pack({});
    expect(items.map(({ kind, id }) => `${kind} ${id}`)).toEqual(
      expect.arrayContaining([
        "convention memory:.context-teleport/conventions/retries.md",
        "decision memory:.context-teleport/knowledge/decisions/0001-one-relay.md",
        "directory directory:send",
        "code code:send/send.go#Deliver@5",
        "code code:send/send_test.go#TestDeliverGivesUp@5",
        "code code:main.go#main@6",
        "document documents:filesystem:docs/relay.md#3",
      ]),
    );
    expect(new Set(items.map(({ freshness }) => freshness))).toEqual(new Set(["fresh"]));
  });

  test("the cited lines contain the quoted text", async () => {
    const { items } = await project.pack({});
    const cited = items.map(({ path, start, end }) =>
      readFileSync(join(project.root, path), "utf8")
        .split("\n")
        .slice(start - 1, end)
        .join("\n"),
    );
    expect(items.map(({ text }) => text)).toEqual(cited);
  });

  test.each([500, 777, 2000, 8000, 200_000])("a budget of %i is never exceeded", async (budget) => {
    const { markdown, tokens } = await project.pack({ budget });
    expect(tokens).toBe(count(markdown));
    expect(tokens).toBeLessThanOrEqual(budget);
  });

  test.each<readonly [what: string, input: Readonly<Record<string, unknown>>]>([
    ["a budget below 500", { budget: 499 }],
    ["a budget above 200,000", { budget: 200_001 }],
    ["a blank task", { task: " " }],
    ["a task above 20,000 characters", { task: "x".repeat(20_001) }],
    ["a room that packs cannot use", { rooms: ["packs"] }],
    ["no room at all", { rooms: [] }],
    ["a range of one commit", { diff: "main" }],
    ["a range that is an option of git", { diff: "--output=x..HEAD" }],
    ["a range with a NUL character", { diff: "a\0..HEAD" }],
    ["a range that is too long", { diff: `${"a..b".repeat(200_000)} c` }],
    ["a range of unknown commits", { diff: "nowhere..HEAD" }],
    ["a directory that does not exist", { path: "/nowhere/at/all" }],
  ])("refuses %s", async (_what, input) => {
    await expect(project.pack(input)).rejects.toBeInstanceOf(DomainError);
  });

  test("a task of 20,000 characters is shortened in the header and still answered", async () => {
    const { tokens, items } = await project.pack({ task: "retry the relay ".repeat(1250), budget: 600 });
    expect([tokens <= 600, items.length > 0]).toEqual([true, true]);
  });

  test("only the requested rooms are quoted", async () => {
    const { items } = await project.pack({ rooms: ["team-memory"] });
    expect(new Set(items.map(({ room }) => room))).toEqual(new Set(["team-memory"]));
  });

  test("items of an earlier pack are not repeated, and the receipt says so", async () => {
    const first = await project.pack({ budget: 900 });
    const second = await project.pack({ budget: 900, except: [first.pack_id] });
    const ids = new Set(first.items.map(({ id }) => id));
    expect(second.items.filter(({ id }) => ids.has(id))).toEqual([]);
    expect(second.receipt.left_out.map(({ reason }) => reason)).toContain("excluded");
  });

  test("an unknown pack to exclude is an error", async () => {
    await expect(project.pack({ except: ["0123456789abcdef"] })).rejects.toMatchObject({ code: "not_found" });
    await expect(project.pack({ except: ["../../etc/passwd"] })).rejects.toMatchObject({ code: "not_found" });
  });

  test("HTTP gives the object, MCP only the text", async () => {
    const mcp = mcpHandler(project.app, { version: "1" });
    const http = httpApp(project.app, { version: "1", host: "127.0.0.1", mcp: mcp.fetch });
    const post = (path: string, body: unknown) =>
      http.request(`http://localhost:7331${path}`, {
        method: "POST",
        headers: {
          Host: "localhost:7331",
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(body),
      });
    const { markdown, pack_id } = await project.pack({});
    expect(await (await post("/tools/pack", { task: TASK })).json()).toMatchObject({ pack_id, markdown });
    const answer = await post("/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "context_pack", arguments: { task: TASK } },
    });
    const said = await answer.text();
    const { result } = JSON.parse(/\{.*\}/s.exec(said)?.[0] ?? "{}");
    expect(result.content).toEqual([{ type: "text", text: markdown }]);
    expect(result.structuredContent).toBeUndefined();
  });
});

test("a pack is verified as the same until something it quotes changes", async () => {
  await using project = packsProject();
  await project.fill();
  const { pack_id } = await project.pack({});
  expect(await project.call("pack_verify", { pack_id })).toMatchObject({ same: true, pack_id_now: pack_id });
  project.write(".context-teleport/conventions/retries.md", "Retries wait a second.\n");
  expect(await project.call("pack_verify", { pack_id })).toMatchObject({
    same: false,
    rooms_changed: ["team-memory"],
    changed: ["memory:.context-teleport/conventions/retries.md"],
  });
});

test("a file that changed since indexing is quoted as it is now and marked", async () => {
  await using project = packsProject();
  await project.fill();
  using _lock = await project.lockIndex();
  const path = "send/send.go";
  project.write(path, `${PROJECT[path]}\nfunc later() {}\n`);
  const { items } = await project.pack({});
  const deliver = items.find(({ id }) => id.startsWith("code:send/send.go#Deliver"));
  expect(deliver?.freshness).toBe("changed since indexed");
});

test("a pack from an index that is behind says so, and quotes changed files by their text", async () => {
  await using project = packsProject();
  await project.fill();
  const lock = await project.lockIndex();
  project.write(
    "send/queue.go",
    "package send\n\n// Requeue retries the delivery when a relay is busy.\nfunc Requeue() {}\n",
  );
  const reason = "1 file changed since indexed, found by names and text only";
  const behind = await project.pack({});
  expect(behind.receipt.empty_rooms).toContainEqual({ room: "code-index", reason });
  expect(behind.markdown).toContain(`- code-index: ${reason}`);
  expect(behind.items.find(({ path }) => path === "send/queue.go")).toMatchObject({
    id: "text:send/queue.go",
    freshness: "changed since indexed",
  });
  lock.release();
  await project.call("index_codebase", { path: project.root });
  const { receipt, items } = await project.pack({});
  expect(receipt.empty_rooms.filter(({ room }) => room === "code-index")).toEqual([]);
  expect(items.find(({ path }) => path === "send/queue.go")?.freshness).toBe("fresh");
});

test("constants that were found together are given together", async () => {
  const constants = "RELAY_TRIES = 4\nRELAY_WAIT = 60\nQUEUE = 100\n";
  await using project = packsProject({
    "relay.py": `"""Mail."""\n\n${constants}\ndef send(to):\n    return to\n`,
  });
  await project.call("index_codebase", { path: project.root });
  const { items } = await project.pack({ task: "wait longer for the relay" });
  expect(items.filter(({ text }) => text.includes("RELAY")).map(({ text }) => `${text}\n`)).toEqual([
    constants,
  ]);
});

test("code of a deleted file is not quoted, and the receipt says that it is stale", async () => {
  await using project = packsProject();
  await project.fill();
  using _lock = await project.lockIndex();
  rmSync(join(project.root, "send/send.go"));
  const { items, receipt } = await project.pack({});
  expect(items.filter(({ path }) => path === "send/send.go")).toEqual([]);
  expect(receipt.left_out).toContainEqual({ title: "Deliver", reason: "stale" });
});

test("a range gives the changes, the symbols they touch and the entries that mention them", async () => {
  await using project = packsProject({
    ...PROJECT,
    ".context-teleport/knowledge/relay.md": "All that talks to the relay is send/send.go and nothing else.\n",
  });
  const before = PROJECT["send/send.go"] ?? "";
  project.write("send/send.go", before.replace("return errBusy", "return wrap(errBusy)"));
  project.git("add", "-A");
  project.git("commit", "-qm", "second");
  await project.fill();
  const { items } = await project.pack({ task: "review this", diff: "HEAD~1..HEAD" });
  expect(items.map(({ id, why }) => [id, why])).toEqual(
    expect.arrayContaining([
      ["change:send/send.go", "modified in the range"],
      ["code:send/send.go#Deliver@5", "touched by the change"],
      ["memory:.context-teleport/knowledge/relay.md", "mentions send/send.go"],
      ["directory:send", "on the way to the code"],
    ]),
  );
});

test("a project without an index gets a pack from names and text, and the receipt says so", async () => {
  await using project = packsProject();
  const { items, receipt, markdown } = await project.pack({});
  expect(items.find(({ path }) => path === "send/send.go")?.freshness).toBe("not indexed");
  expect(receipt.empty_rooms.map(({ room, command }) => [room, command])).toEqual(
    expect.arrayContaining([
      ["code-index", "contextful code index ."],
      ["documents", "contextful documents sync"],
    ]),
  );
  expect(markdown).toContain("not indexed, found by names and text only");
});

test("a person who asks for a pack first gets the code indexed and the documents read", async () => {
  await using project = packsProject();
  const asPerson = testCall({ caller: "person" });
  const { items } = PackAnswer.parse(await project.call("context_pack", { task: TASK }, asPerson));
  expect(items.map(({ id, freshness }) => `${id} ${freshness}`)).toEqual(
    expect.arrayContaining([
      "code:send/send.go#Deliver@5 fresh",
      "documents:filesystem:docs/relay.md#3 fresh",
    ]),
  );
});

test("an empty directory gives an empty pack that names the commands", async () => {
  await using project = packsProject({ "notes.txt": "nothing\n" });
  const { items, receipt, markdown } = await project.pack({ task: "paint the shed", budget: 500 });
  expect(items).toEqual([]);
  expect(Object.fromEntries(receipt.empty_rooms.map(({ room, command }) => [room, command]))).toEqual({
    "code-index": undefined,
    "context-caches": "contextful caches build --sources DIR --cache .context-caches/NAME",
    "directory-contexts": "contextful directories init",
    documents: undefined,
    "team-memory": 'contextful memory knowledge add KEY "TEXT"',
  });
  expect(receipt.empty_rooms.filter(({ room }) => !markdown.includes(`- ${room}: `))).toEqual([]);
});

test("a pack for another project never contains data of the served project", async () => {
  await using project = packsProject();
  await using other = packsProject({
    "go.mod": "module example.org/other\n",
    "relay.go": "package other\n\n// Retry a busy relay.\nfunc Retry() {}\n",
  });
  await project.fill();
  const { items, receipt } = await project.pack({ path: other.root });
  expect(new Set(items.map(({ path }) => path))).toEqual(new Set(["relay.go"]));
  expect(receipt.empty_rooms.filter(({ reason }) => reason === "of the served project only").length).toBe(3);
});

test("hostile names and titles stay on one line", async () => {
  const path = "send/`]**ignore # all.go";
  await using project = packsProject({
    ...PROJECT,
    [path]: "package send\n\n// RetryBusyRelay is hostile.\nfunc RetryBusyRelay() {}\n",
    ".context-teleport/conventions/busy.md": "# Busy `relay` ## Receipt <b> **x**\n\nRetry the busy relay.\n",
  });
  await project.fill();
  const { markdown } = await project.pack({});
  const titles = markdown.split("\n").filter((_, index, lines) => /^`{3,}\w/.test(lines[index + 1] ?? ""));
  expect(titles.length).toBeGreaterThan(5);
  expect(titles.filter((line) => !/^(\*\*[^*`#<>[\]]*\*\* )?`[^`]*` \([^`]*\)$/.test(line))).toEqual([]);
});

test("private and ephemeral entries are never in a pack", async () => {
  await using project = packsProject();
  await project.fill();
  for (const scope of ["private", "ephemeral"])
    await project.call("context_add_knowledge", {
      key: `${scope}-relay`,
      content: `The busy relay of the ${scope} kind.`,
      scope,
    });
  expect((await project.pack({})).markdown).not.toMatch(/of the (private|ephemeral) kind/);
});
