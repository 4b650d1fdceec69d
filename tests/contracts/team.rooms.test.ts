import { readdirSync, renameSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openCodeIndex } from "../../src/capabilities/code-index/index.ts";
import { openReplica } from "../../src/core/replica/open-replica.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { type PublishedProject, publishedProject } from "../support/published-project.ts";
import { PROJECT, TASK } from "./packs-project.ts";

const FILES = {
  ...PROJECT,
  "contextful.toml": "",
  "README.md": "# Mail\n\nDelivers mail through one relay. See docs/relay.md.\n",
  ".context-teleport/knowledge/relay.md": "The relay is in `send/send.go`; a busy one answers 451.\n",
  ".context-teleport/knowledge/.meta.json": `{"relay.md":{"author":"ana","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z","anchors":[{"anchor":"send/send.go","sha256":"${"0".repeat(64)}","of":"file"}]}}\n`,
  ".context-teleport/skills/deploy/SKILL.md":
    "---\nname: deploy\ndescription: Deploys the relay\n---\n\nRun it.\n",
};

/** Reading calls of every room. */
const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ["context.search", { query: "busy relay" }],
  ["context.search", { query: "busy relay", mode: "hybrid" }],
  ["context.search", { query: "relay", mode: "semantic", limit: 1 }],
  ["context.search", { query: "relay", filters: { source: "filesystem:project" } }],
  ["context.search", { query: "relay", filters: { until: "2001-01-01" } }],
  ["context.search", { query: "" }],
  ["context.search", { query: "nothing of the kind" }],
  ["context.search", { query: "relay", mode: "wrong" }],
  ["context.get", { id: "00000000-0000-5000-8000-000000000000" }],
  ["context.get", {}],
  ["context_search", { query: "relay" }],
  ["context_search", { query: "nothing of the kind" }],
  ["memory_search", { query: "retry" }],
  ["context_get", { dotpath: "knowledge.relay" }],
  ["context_get", { dotpath: "decisions" }],
  ["context_get", { dotpath: "nothing" }],
  ["context_list_conventions", {}],
  ["context_get_convention", { key: "retries" }],
  ["context_get_scope", { entry_type: "knowledge", key: "relay" }],
  ["context_list_skill_proposals", { skill_name: "deploy" }],
  ["context_merge_status", {}],
  ["list_contexts", {}],
  ["query_context", { scope: "send" }],
  ["query_context", { scope: "send", filter: ["summary"] }],
  ["query_context", { scope: "../outside" }],
  ["directory_context", { directory: "send" }],
  ["check_freshness", { scope: "send" }],
  ["check_freshness", { scope: "nowhere" }],
  ["context_pack", { task: TASK }],
  ["context_pack", { task: TASK, budget: 1_000, receipt: "full" }],
  ["context_pack", { task: TASK, rooms: ["documents", "team-memory"] }],
];

const WAIT = { timeout: 60_000 };

let project: PublishedProject;
let repository: string;
beforeAll(async () => {
  project = await publishedProject(FILES);
  repository = (await project.publish()).project;
  await project.embedded("index_codebase", { path: project.root });
  await project.embedded("documents_sync", { target: "filesystem:project" });
});
afterAll(() => project[Symbol.asyncDispose]());

/** The addresses of files are those of the machine. */
const withoutPlace = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll(project.root, "/mail")
    .replaceAll(/"source_url":"file:[^"]*"/g, '"source_url":null');

test.each(CALLS)("%s %j has the bytes of the embedded room through a following node", async (tool, input) => {
  const [here, there] = [
    await project.embedded(tool, input),
    await project.followed(repository, tool, input),
  ];
  expect(withoutPlace({ ...there, notices: [] })).toBe(withoutPlace({ ...here, notices: [] }));
});

test("every document has the same bytes through a following node", async () => {
  const found = Object(await project.embedded("context.search", { query: "relay" })).output.results;
  expect(found.length).toBeGreaterThan(1);
  for (const { id } of found) {
    const [here, there] = [
      await project.embedded("context.get", { id }),
      await project.followed(repository, "context.get", { id }),
    ];
    expect(withoutPlace(Object(there).output)).toBe(withoutPlace(Object(here).output));
  }
});

test("an answer of a followed room says which commit was published when", async () => {
  const { notices } = await project.followed(repository, "context_search", { query: "relay" });
  expect(notices).toEqual([expect.stringMatching(/^Published at commit [0-9a-f]{12}, /)]);
});

test("a tool that writes is refused, and nothing is written", async () => {
  const writing = ["context_add_knowledge", "context_record_decision", "context_sync_push", "context_set"];
  const input = {
    key: "new",
    content: "x",
    title: "t",
    context: "c",
    decision: "d",
    dotpath: "a.b",
    value: "1",
  };
  for (const tool of writing) {
    const { error } = Object(await project.followed(repository, tool, input));
    expect(error).toMatch(/A team's server only reads\. Write in a clone/);
  }
  const after = await project.followed(repository, "context_get", { dotpath: "knowledge.new" });
  expect(Object(after).error).toContain("No value at 'knowledge.new'");
});

test("after a publication the rooms answer for the new commit, and the old files leave the disk", async () => {
  await using own = await publishedProject(FILES);
  const first = await own.publish();
  const knowledge = async () =>
    Object(await own.followed(first.project, "context_get", { dotpath: "knowledge.relay" })).output;
  expect(await knowledge()).toContain("answers 451");
  own.commit({
    ".context-teleport/knowledge/relay.md": "It moved.\n",
    "docs/relay.md": undefined,
    "docs/new.md": "# Post\n",
  });
  const second = await own.publish();
  // What is here is served until the new generation is.
  expect(await knowledge()).toContain("answers 451");
  await own.node.follow(second);
  expect(await knowledge()).toBe("It moved.\n");
  const hits = Object(await own.followed(first.project, "context.search", { query: "post" })).output.results;
  expect(hits.map(({ source_id }: { source_id: string }) => source_id)).toEqual(["docs/new.md"]);
  const gone = Object(await own.followed(first.project, "context.search", { query: "lamp" })).output.results;
  expect(gone).toEqual([]);
  await vi.waitFor(() => expect(readdirSync(own.path("node-home/team/rooms"))).toHaveLength(1), WAIT);
});

test("while the store is away, rooms answer from what is here", async () => {
  await using own = await publishedProject(FILES);
  const { project: id } = await own.publish();
  await own.followed(id, "context_search", { query: "relay" });
  renameSync(own.path("store"), own.path("away"));
  const answer = Object(await own.followed(id, "context_list_conventions", {}));
  expect(JSON.stringify(answer.output)).toContain("retries");
});

test("only the code of a project may be published: its other rooms say so", async () => {
  await using own = await publishedProject(FILES);
  const code = openCodeIndex(testMachine(own.root, { home: own.path("ci-home") }));
  await using replica = await openReplica(own.path("store"));
  const { generation } = await code.publishCode(own.root, replica, {}, testCall());
  await code.close();
  const { error } = Object(await own.followed(generation.project, "context_search", { query: "relay" }));
  expect(error).toContain("Only the code of this project is published");
});
