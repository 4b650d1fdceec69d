import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { memoryRoom } from "../support/memory-room.ts";
import { scratchApp } from "../support/scratch-app.ts";

type Step = readonly [tool: string, input: Record<string, unknown>, expected: unknown];
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const SKILL = [
  "context_add_skill",
  { name: "deploy", description: "Deploys", instructions: "Go" },
  expect.anything(),
] as const;
const about = {
  author: "mcp:test",
  created_at: "2026-01-02T03:04:05.000Z",
  updated_at: "2026-01-02T03:04:05.000Z",
};
const invalidScope = { error: "Invalid scope 'privte'. Use public, private, or ephemeral." };
const added = (key: string, more: object = {}) => ({
  status: "ok",
  key,
  created: true,
  scope: "public",
  ...more,
});
const skillText = (body: string) => `---\nname: deploy\ndescription: Deploys\n---\n\n${body}\n`;

/** What the contract promises of each tool: the calls of a row are made in order, each in a store of its own. */
const ROWS: readonly { tool: string; behaviour: string; steps: readonly Step[] }[] = [
  {
    tool: "context_add_knowledge",
    behaviour: "adds under a normalised key and overwrites",
    steps: [
      [
        "context_add_knowledge",
        { key: "Tech Stack", content: "x" },
        added("tech-stack", { requested_key: "Tech Stack" }),
      ],
      ["context_get", { dotpath: "knowledge.tech-stack" }, "x"],
      [
        "context_add_knowledge",
        { key: "tech-stack", content: "y" },
        { ...added("tech-stack"), created: false },
      ],
      ["context_get", { dotpath: "knowledge.tech-stack" }, "y"],
    ],
  },
  {
    tool: "context_add_knowledge",
    behaviour: "keeps the scope that was given before, and names a wrong one",
    steps: [
      ["context_add_knowledge", { key: "k", content: "x", scope: "privte" }, invalidScope],
      ["context_get", { dotpath: "knowledge.k" }, { error: "No value at 'knowledge.k'" }],
      [
        "context_add_knowledge",
        { key: "k", content: "x", scope: "Private" },
        added("k", { scope: "private" }),
      ],
      [
        "context_add_knowledge",
        { key: "k", content: "y" },
        { ...added("k", { scope: "private" }), created: false },
      ],
      ["context_get_scope", { entry_type: "knowledge", key: "k" }, { key: "k", scope: "private" }],
    ],
  },
  {
    tool: "context_add_knowledge",
    behaviour: "names entries that say nearly the same",
    steps: [
      [
        "context_add_knowledge",
        { key: "one", content: "We deploy on Fridays with the blue script" },
        added("one"),
      ],
      [
        "context_add_convention",
        { key: "two", content: "We deploy on Fridays, with the BLUE script." },
        added("two", { similar: [{ type: "knowledge", key: "one", similarity: 1 }] }),
      ],
    ],
  },
  {
    tool: "context_remove_knowledge",
    behaviour: "removes, or says that there is none",
    steps: [
      ["context_remove_knowledge", { key: "nope" }, { status: "not_found", key: "nope" }],
      ["context_remove_knowledge", { key: "con" }, { status: "not_found", key: "con" }],
      ["context_add_knowledge", { key: "k", content: "x" }, added("k")],
      ["context_remove_knowledge", { key: "k" }, { status: "removed", key: "k" }],
      ["context_remove_knowledge", { key: "k" }, { status: "not_found", key: "k" }],
    ],
  },
  {
    tool: "context_search",
    behaviour: "ranks the phrase in a heading, the phrase, all words, one word",
    steps: [
      [
        "context_add_knowledge",
        { key: "a", content: "# Database migration\n\nmigration of a database\nthe database" },
        added("a"),
      ],
      ["context_add_convention", { key: "b", content: "run each DATABASE MIGRATION twice" }, added("b")],
      [
        "context_search",
        { query: "database migration" },
        [
          {
            key: "a",
            file: "knowledge/a.md",
            line: 1,
            text: "# Database migration",
            score: 1,
            type: "knowledge",
            scope: "public",
          },
          {
            key: "b",
            file: "conventions/b.md",
            line: 1,
            text: "run each DATABASE MIGRATION twice",
            score: 0.6667,
            type: "convention",
            scope: "public",
          },
          {
            key: "a",
            file: "knowledge/a.md",
            line: 3,
            text: "migration of a database",
            score: 0.3333,
            type: "knowledge",
            scope: "public",
          },
          {
            key: "a",
            file: "knowledge/a.md",
            line: 4,
            text: "the database",
            score: 0.1667,
            type: "knowledge",
            scope: "public",
          },
        ],
      ],
      ["context_search", { query: "   " }, []],
      ["context_search", { query: "atabas", limit: 1 }, [expect.objectContaining({ line: 1, score: 1 })]],
    ],
  },
  {
    tool: "context_get",
    behaviour: "reads every section",
    steps: [
      [
        "context_get",
        { dotpath: "state" },
        { current_task: "", blockers: [], progress: {}, last_agent: "", last_machine: "", updated_at: null },
      ],
      ["context_add_knowledge", { key: "empty", content: "" }, added("empty")],
      ["context_get", { dotpath: "knowledge.empty" }, ""],
      ["context_get", { dotpath: "knowledge" }, { empty: "" }],
      ["context_get", { dotpath: "manifest.project.name" }, "project"],
      ["context_get", { dotpath: "manifest.schema_version" }, "0.4.0"],
      ["context_get", { dotpath: "preferences" }, { team: {}, user: {} }],
      ["context_get", { dotpath: "history" }, []],
      ["context_get", { dotpath: "activity" }, {}],
      ["context_get", { dotpath: "about.knowledge.empty" }, { scope: "public", ...about }],
      ["context_get", { dotpath: "decisions" }, []],
      ["context_get", { dotpath: "nothing.here" }, { error: "No value at 'nothing.here'" }],
    ],
  },
  {
    tool: "context_set",
    behaviour: "writes where it may and refuses elsewhere",
    steps: [
      [
        "context_set",
        { dotpath: "state.current_task", value: "Auth" },
        { status: "ok", dotpath: "state.current_task" },
      ],
      ["context_set", { dotpath: "state.step", value: "2" }, { status: "ok", dotpath: "state.step" }],
      [
        "context_set",
        { dotpath: "state.blockers", value: "a, ,b" },
        { status: "ok", dotpath: "state.blockers" },
      ],
      [
        "context_get",
        { dotpath: "state" },
        expect.objectContaining({
          current_task: "Auth",
          progress: { step: "2" },
          blockers: ["a", "b"],
          last_agent: "mcp:test",
        }),
      ],
      ["context_get", { dotpath: "state.step" }, "2"],
      [
        "context_set",
        { dotpath: "conventions.git", value: "rebase" },
        { status: "ok", dotpath: "conventions.git" },
      ],
      ["context_get", { dotpath: "conventions.git" }, "rebase"],
      [
        "context_set",
        { dotpath: "preferences.user.editor", value: "vi" },
        { status: "ok", dotpath: "preferences.user.editor" },
      ],
      ["context_get", { dotpath: "preferences.user.editor" }, "vi"],
      [
        "context_set",
        { dotpath: "preferences.team.a.b", value: "v" },
        { status: "ok", dotpath: "preferences.team.a.b" },
      ],
      ["context_get", { dotpath: "preferences.team.a.b" }, "v"],
      [
        "context_set",
        { dotpath: "knowledge.a.b.c.d.e.f", value: "v" },
        { status: "ok", dotpath: "knowledge.a.b.c.d.e.f" },
      ],
      ["context_get", { dotpath: "knowledge.a.b.c.d.e.f" }, "v"],
      [
        "context_set",
        { dotpath: "manifest.project.name", value: "x" },
        { status: "error", error: "Cannot set values in section 'manifest'" },
      ],
      [
        "context_set",
        { dotpath: "preferences.bogus.k", value: "v" },
        { status: "error", error: expect.stringContaining("team.KEY or user.KEY") },
      ],
      [
        "context_set",
        { dotpath: "preferences.team", value: "v" },
        { status: "error", error: expect.stringContaining("team.KEY or user.KEY") },
      ],
      [
        "context_set",
        { dotpath: "knowledge", value: "v" },
        { status: "error", error: expect.stringContaining("a key") },
      ],
      [
        "context_set",
        { dotpath: "state", value: "v" },
        { status: "error", error: expect.stringContaining("a field") },
      ],
      [
        "context_set",
        { dotpath: "state.updated_at", value: "v" },
        { status: "error", error: "Cannot set 'state.updated_at'" },
      ],
    ],
  },
  {
    tool: "context_add_convention",
    behaviour: "adds, gets, lists and removes",
    steps: [
      ["context_add_convention", { key: "git", content: "Branch." }, added("git")],
      [
        "context_add_convention",
        { key: "env", content: "No sudo.", scope: "private" },
        added("env", { scope: "private" }),
      ],
      [
        "context_get_convention",
        { key: "git" },
        { key: "git", content: "Branch.", scope: "public", ...about },
      ],
      ["context_get_convention", { key: "nonexistent" }, { error: "Convention 'nonexistent' not found" }],
      [
        "context_list_conventions",
        {},
        [
          { key: "env", content: "No sudo.", scope: "private", ...about },
          { key: "git", content: "Branch.", scope: "public", ...about },
        ],
      ],
      ["context_add_convention", { key: "git", content: "x", scope: "privte" }, invalidScope],
      ["context_rm_convention", { key: "git" }, { status: "removed", key: "git" }],
      ["context_rm_convention", { key: "git" }, { status: "not_found", key: "git" }],
    ],
  },
  {
    tool: "context_add_skill",
    behaviour: "adds by the rules of Agent Skills and removes with all sidecars",
    steps: [
      [
        "context_add_skill",
        { name: "Deploy Staging", description: "d", instructions: "b" },
        {
          status: "ok",
          name: "deploy-staging",
          requested_name: "Deploy Staging",
          created: true,
          scope: "public",
        },
      ],
      [
        "context_add_skill",
        { name: "日本", description: "d", instructions: "b" },
        { status: "error", error: expect.stringContaining("cannot be empty") },
      ],
      [
        "context_add_skill",
        { name: "a".repeat(65), description: "d", instructions: "b" },
        { status: "error", error: expect.stringContaining("64") },
      ],
      [
        "context_add_skill",
        { name: "x", description: " ", instructions: "b" },
        { status: "error", error: expect.stringContaining("description") },
      ],
      [
        "context_add_skill",
        { name: "x", description: "d", instructions: "b", scope: "privte" },
        invalidScope,
      ],
      ["context_remove_skill", { name: "deploy-staging" }, { status: "removed", name: "deploy-staging" }],
      ["context_remove_skill", { name: "deploy-staging" }, { status: "not_found", name: "deploy-staging" }],
      ["context_remove_skill", { name: "日本" }, { status: "not_found", name: "日本" }],
      ["context_remove_skill", { name: ".." }, { status: "not_found", name: ".." }],
    ],
  },
  {
    tool: "context_report_skill_usage",
    behaviour: "records an event, or says which skill is missing",
    steps: [
      SKILL,
      ["context_report_skill_usage", { skill_name: "deploy" }, { status: "ok", event_id: uuid }],
      [
        "context_report_skill_usage",
        { skill_name: "nope" },
        { status: "error", error: "Skill 'nope' not found" },
      ],
    ],
  },
  {
    tool: "context_rate_skill",
    behaviour: "takes whole numbers from 1 to 5",
    steps: [
      SKILL,
      [
        "context_rate_skill",
        { skill_name: "deploy", rating: 5, comment: "good" },
        { status: "ok", feedback_id: uuid },
      ],
      ["context_rate_skill", { skill_name: "deploy", rating: "5" }, { status: "ok", feedback_id: uuid }],
      [
        "context_rate_skill",
        { skill_name: "deploy", rating: 0 },
        { status: "error", error: "Rating must be 1-5, got 0" },
      ],
      [
        "context_rate_skill",
        { skill_name: "deploy", rating: 6 },
        { status: "error", error: "Rating must be 1-5, got 6" },
      ],
      [
        "context_rate_skill",
        { skill_name: "deploy", rating: 4.5 },
        { status: "error", error: "Rating must be 1-5, got 4.5" },
      ],
      [
        "context_rate_skill",
        { skill_name: "nope", rating: 3 },
        { status: "error", error: "Skill 'nope' not found" },
      ],
    ],
  },
  {
    tool: "context_propose_skill_improvement",
    behaviour: "takes a valid SKILL.md of the same name and shows the difference",
    steps: [
      SKILL,
      [
        "context_propose_skill_improvement",
        { skill_name: "deploy", proposed_content: skillText("Go\nRoll back"), rationale: "r".repeat(150) },
        { status: "ok", proposal_id: uuid, diff_summary: expect.stringMatching(/^@@ -4,3 \+4,4 @@\n/) },
      ],
      [
        "context_propose_skill_improvement",
        { skill_name: "nope", proposed_content: "x" },
        { status: "error", error: "Skill 'nope' not found" },
      ],
      [
        "context_propose_skill_improvement",
        { skill_name: "deploy", proposed_content: "no head" },
        { status: "error", error: expect.stringContaining("frontmatter") },
      ],
      [
        "context_propose_skill_improvement",
        {
          skill_name: "deploy",
          proposed_content: skillText("x").replace("name: deploy", "name: ../../../../tmp/p"),
        },
        { status: "error", error: "The frontmatter's name must be 'deploy'." },
      ],
      [
        "context_list_skill_proposals",
        {},
        [
          {
            id: uuid,
            skill_name: "deploy",
            agent: "mcp:test",
            status: "pending",
            diff_summary: expect.any(String),
            rationale: "r".repeat(100),
            created_at: "2026-01-02T03:04:05.000Z",
          },
        ],
      ],
      ["context_list_skill_proposals", { status: "accepted" }, []],
      [
        "context_list_skill_proposals",
        { skill_name: "nope" },
        { status: "error", error: "Skill 'nope' not found" },
      ],
      [
        "context_list_skill_proposals",
        { status: "open" },
        { status: "error", error: "Invalid status 'open'. Use pending, accepted, rejected, or upstream." },
      ],
    ],
  },
  {
    tool: "context_record_decision",
    behaviour: "numbers decisions and finds them by id and title",
    steps: [
      [
        "context_record_decision",
        { title: "Use X", context: "c", decision: "d", consequences: "q" },
        { status: "ok", id: 1, title: "Use X", scope: "public" },
      ],
      [
        "context_record_decision",
        { title: "Drop Y", scope: "ephemeral" },
        { status: "ok", id: 2, title: "Drop Y", scope: "ephemeral" },
      ],
      ["context_record_decision", { title: "  " }, { status: "error", error: "A decision needs a title." }],
      ["context_record_decision", { title: "t", scope: "privte" }, invalidScope],
      [
        "context_get",
        { dotpath: "decisions" },
        [
          { id: 1, title: "Use X", status: "accepted" },
          { id: 2, title: "Drop Y", status: "accepted" },
        ],
      ],
      [
        "context_get",
        { dotpath: "decisions.1" },
        {
          id: 1,
          title: "Use X",
          status: "accepted",
          date: "2026-01-02",
          context: "c",
          decision: "d",
          consequences: "q",
          scope: "public",
          ...about,
        },
      ],
      ["context_get", { dotpath: "decisions.use x.decision" }, "d"],
      ["context_get", { dotpath: "decisions.2.consequences" }, ""],
      [
        "context_record_decision",
        { title: "Use v1.2 of X", decision: "e" },
        { status: "ok", id: 3, title: "Use v1.2 of X", scope: "public" },
      ],
      ["context_get", { dotpath: "decisions.Use v1.2 of X" }, expect.objectContaining({ id: 3 })],
      ["context_get", { dotpath: "decisions.Use v1.2 of X.decision" }, "e"],
      ["context_get", { dotpath: "decisions.3.nothing" }, { error: "No value at 'decisions.3.nothing'" }],
      ["context_get_scope", { entry_type: "decision", key: "Drop Y" }, { key: "Drop Y", scope: "ephemeral" }],
    ],
  },
  {
    tool: "context_update_state",
    behaviour: "changes only what is given",
    steps: [
      [
        "context_update_state",
        { current_task: "A", blockers: "x, ,y" },
        { status: "ok", current_task: "A", blockers: ["x", "y"] },
      ],
      [
        "context_update_state",
        { current_task: "B" },
        { status: "ok", current_task: "B", blockers: ["x", "y"] },
      ],
      [
        "context_update_state",
        { current_task: " " },
        { status: "ok", current_task: "B", blockers: ["x", "y"] },
      ],
      ["context_update_state", { blockers: "" }, { status: "ok", current_task: "B", blockers: [] }],
    ],
  },
  {
    tool: "context_append_session",
    behaviour: "records who, and what was added",
    steps: [
      ["context_append_session", {}, { status: "ok", session_id: uuid }],
      [
        "context_append_session",
        { agent: "cursor", summary: "s", knowledge_added: "a, b", decisions_added: "3" },
        { status: "ok", session_id: uuid },
      ],
      [
        "context_get",
        { dotpath: "history" },
        [
          expect.objectContaining({ agent: "mcp:test", summary: "", knowledge_added: [] }),
          expect.objectContaining({
            agent: "cursor",
            summary: "s",
            knowledge_added: ["a", "b"],
            decisions_added: ["3"],
          }),
        ],
      ],
    ],
  },
  {
    tool: "context_set_scope",
    behaviour: "changes the scope of each kind of entry",
    steps: [
      SKILL,
      ["context_add_knowledge", { key: "k", content: "x" }, added("k")],
      [
        "context_set_scope",
        { entry_type: "knowledge", key: "k", scope: "private" },
        { status: "ok", key: "k", scope: "private", warnings: [expect.stringContaining("history")] },
      ],
      [
        "context_set_scope",
        { entry_type: "knowledge", key: "k", scope: "PUBLIC" },
        { status: "ok", key: "k", scope: "public" },
      ],
      [
        "context_set_scope",
        { entry_type: "skill", key: "deploy", scope: "ephemeral" },
        { status: "ok", key: "deploy", scope: "ephemeral", warnings: [expect.any(String)] },
      ],
      ["context_get_scope", { entry_type: "skill", key: "deploy" }, { key: "deploy", scope: "ephemeral" }],
      ["context_get_scope", { entry_type: "skill", key: "nope" }, { error: "Skill 'nope' not found" }],
      [
        "context_get_scope",
        { entry_type: "knowledge", key: "nope" },
        { error: "Knowledge entry 'nope' not found" },
      ],
      [
        "context_get_scope",
        { entry_type: "knowledge", key: "con" },
        { error: "Knowledge entry 'con' not found" },
      ],
      ["context_get_scope", { entry_type: "decision", key: "7" }, { error: "Decision '7' not found" }],
      [
        "context_get_scope",
        { entry_type: "foo", key: "x" },
        { error: "Invalid entry_type 'foo'. Use 'knowledge', 'decision', 'convention', or 'skill'." },
      ],
      ["context_set_scope", { entry_type: "knowledge", key: "k", scope: "privte" }, invalidScope],
      [
        "context_set_scope",
        { entry_type: "knowledge", key: "k", scope: "" },
        { error: "Invalid scope ''. Use public, private, or ephemeral." },
      ],
      [
        "context_set_scope",
        { entry_type: "convention", key: "nope", scope: "public" },
        { error: "Convention 'nope' not found" },
      ],
    ],
  },
];

test.each(ROWS)("$tool $behaviour", async ({ steps }) => {
  using room = memoryRoom();
  const answers: unknown[] = [];
  for (const [tool, input] of steps) answers.push(await room.call(tool, input));
  expect(answers).toEqual(steps.map(([, , expected]) => expected));
});

test.each([true, [5], "0x5", "55", undefined])("%j is not a rating", async (rating) => {
  using room = memoryRoom();
  await room.call("context_add_skill", { name: "deploy", description: "Deploys", instructions: "Go" });
  expect(await room.call("context_rate_skill", { skill_name: "deploy", rating })).toEqual({
    status: "error",
    error: expect.stringMatching(/^rating (?:is required|must be a number, not (?!NaN))/),
  });
});

test("a preference called error is a value, and only a missing one is a failure", async () => {
  using room = memoryRoom();
  const hasFailed = async (dotpath: string) => (await room.answer("context_get", { dotpath })).isError;
  await room.call("context_set", { dotpath: "preferences.team.error", value: "stop" });
  expect(await room.call("context_get", { dotpath: "preferences.team" })).toEqual({ error: "stop" });
  expect([await hasFailed("preferences.team"), await hasFailed("preferences.nobody")]).toEqual([false, true]);
});

test("an empty list of sessions is shown like other empty lists", async () => {
  using room = memoryRoom();
  const tool = room.room.tools.find(({ name }) => name === "memory_session_list");
  expect(tool?.show(await room.call("memory_session_list", {}, { caller: "person" }))).toBe("Nothing yet.");
});

test("outside any project every tool answers with the contract's sentence", async () => {
  using room = memoryRoom({ root: "/" });
  const refused = { status: "error", error: "Not inside a project with a context store or git repo" };
  expect(await room.call("context_search", { query: "x" })).toEqual(refused);
  expect(await room.call("context_get", { dotpath: "state" })).toEqual(refused);
  expect(await room.call("context_add_knowledge", { key: "k", content: "x" })).toEqual(refused);
});

test.each(["gone", "a file"])(
  "a project that is %s by now does not lead to the repository above it",
  async (now) => {
    using room = memoryRoom();
    await room.call("context_add_knowledge", { key: "k", content: "x" });
    rmSync(room.root, { recursive: true });
    if (now === "a file") writeFileSync(room.root, "");
    mkdirSync(join(room.root, "..", ".git"));
    const refused = { status: "error", error: "Not inside a project with a context store or git repo" };
    expect(await room.call("context_add_knowledge", { key: "k", content: "x" })).toEqual(refused);
    expect(existsSync(join(room.root, "..", ".context-teleport"))).toBe(false);
  },
);

test("all 27 tools of the contract are offered to agents", () => {
  using room = memoryRoom();
  const offered = room.room.tools.filter(({ audience }) => audience !== "people").map(({ name }) => name);
  expect(offered.toSorted()).toEqual(
    [
      ...ROWS.map(({ tool }) => tool),
      ...[
        "get_convention",
        "list_conventions",
        "rm_convention",
        "remove_skill",
        "list_skill_proposals",
        "get_scope",
      ],
      ...[
        "sync_push",
        "sync_pull",
        "merge_status",
        "conflict_detail",
        "resolve_conflict",
        "merge_finalize",
        "merge_abort",
      ],
    ]
      .map((name) => (name.startsWith("context_") ? name : `context_${name}`))
      .filter((name, index, names) => names.indexOf(name) === index)
      .toSorted(),
  );
  expect(offered).toHaveLength(27);
});

test("clearing the state removes what was ephemeral, with its sidecars, and nothing else", async () => {
  using room = memoryRoom();
  await room.call("context_update_state", { current_task: "t" });
  await room.call("context_add_knowledge", { key: "keep", content: "x", scope: "private" });
  await room.call("context_add_knowledge", { key: "gone", content: "x", scope: "ephemeral" });
  await room.call("context_add_skill", {
    name: "s",
    description: "d",
    instructions: "i",
    scope: "ephemeral",
  });
  await room.call("context_rate_skill", { skill_name: "s", rating: 1 });
  expect(await room.call("memory_state_rm", {}, { caller: "person" })).toEqual({
    status: "ok",
    removed: ["knowledge/gone.md", "skills/s/SKILL.md"],
  });
  expect(await room.call("context_get", { dotpath: "knowledge" })).toEqual({ keep: "x" });
  expect([room.read("skills/s/.feedback.ndjson"), room.read("state/active.json")]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await room.call("context_get_scope", { entry_type: "knowledge", key: "keep" })).toMatchObject({
    scope: "private",
  });
});

test("clearing the state also removes unreadable ephemeral entries, which would otherwise be public", async () => {
  using room = memoryRoom();
  const scope = "ephemeral";
  await room.call("context_add_knowledge", { key: "latin", content: "x", scope });
  await room.call("context_add_knowledge", { key: "link", content: "x", scope });
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "i", scope });
  room.write("knowledge/latin.md", Buffer.from([0xe9]));
  rmSync(join(room.store, "knowledge/link.md"));
  symlinkSync(room.root, join(room.store, "knowledge/link.md"));
  room.write("skills/s/notes.txt", "x");
  rmSync(join(room.store, "skills/s/SKILL.md"));
  expect(await room.call("memory_state_rm")).toEqual({
    status: "ok",
    removed: ["knowledge/latin.md", "knowledge/link.md", "skills/s/SKILL.md"],
  });
  expect([
    readdirSync(join(room.store, "knowledge")).sort(),
    readdirSync(join(room.store, "skills")),
  ]).toEqual([
    [".gitignore", ".scope.json"],
    [".gitignore", ".scope.json"],
  ]);
});

test.each([
  ["context_remove_skill", { name: "s" }],
  ["context_report_skill_usage", { skill_name: "s" }],
  ["context_rate_skill", { skill_name: "s", rating: 5 }],
  [
    "context_propose_skill_improvement",
    { skill_name: "s", proposed_content: "---\nname: s\ndescription: d\n---\n\nbetter\n" },
  ],
  ["context_append_session", { summary: "done" }],
  ["context_set_scope", { entry_type: "skill", key: "s", scope: "private" }],
  ["context_set", { dotpath: "preferences.team.k", value: "v" }],
])("%s writes nothing once its call is cancelled", async (tool, input) => {
  using room = memoryRoom();
  await room.call("context_add_skill", { name: "s", description: "d", instructions: "i" });
  const before = readdirSync(room.store, { recursive: true });
  await expect(room.call(tool, input, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(readdirSync(room.store, { recursive: true })).toEqual(before);
});

test("a session can be read and removed by the start of its id", async () => {
  using room = memoryRoom();
  const person = { caller: "person" } as const;
  const { session_id } = (await room.call("context_append_session", { summary: "one" })) as {
    session_id: string;
  };
  await room.call("context_append_session", { summary: "two" });
  expect(await room.call("memory_session_get", { id: session_id.slice(0, 13) }, person)).toMatchObject({
    summary: "one",
  });
  expect(await room.call("memory_session_rm", { id: session_id }, person)).toEqual({
    status: "removed",
    id: session_id,
  });
  expect(await room.call("memory_session_list", {}, person)).toMatchObject([{ summary: "two" }]);
  await expect(room.call("memory_session_get", { id: session_id }, person)).rejects.toThrow("not found");
});

test.each([
  ["context_get", { dotpath: "knowledge.none" }, 404, "No value at 'knowledge.none'"],
  ["context_get_convention", { key: "none" }, 404, "Convention 'none' not found"],
  ["context_set", { dotpath: "manifest.x", value: "y" }, 400, "Cannot set values in section 'manifest'"],
  [
    "context_get_scope",
    { entry_type: "x", key: "y" },
    400,
    expect.stringContaining("Invalid entry_type 'x'."),
  ],
])("over HTTP a failing %s with %j answers %d", async (tool, input, status, message) => {
  using room = memoryRoom();
  const app = scratchApp(room.room.tools);
  const mcp = mcpHandler(app, { version: "1" }).fetch;
  const served = httpApp(app, { version: "1", host: "127.0.0.1", mcp });
  const response = await served.request(`/tools/${tool}`, {
    method: "POST",
    headers: { Host: "localhost:7331", "Content-Type": "application/json" },
    body: JSON.stringify(input),
  });
  const code = status === 404 ? "not_found" : "bad_request";
  expect([response.status, await response.json()]).toEqual([status, { error: { code, message } }]);
});

const RESEMBLING = ["sk/", "sk/.", "./sk", "sk-", "-sk", "sk.", "s_k", "ｓｋ", "śk"];
const CONTROLLED = ["sk\0", "sk\n", "\tsk", "sk\u200b", "sk\u202e", "\ufeffsk", "s\u00adk", "sk\u001b[0m"];

test.each([
  ["context_remove_skill", "name", "context_add_skill", { name: "sk", description: "d", instructions: "i" }],
  ["context_remove_knowledge", "key", "context_add_knowledge", { key: "sk", content: "x" }],
  ["context_rm_convention", "key", "context_add_convention", { key: "sk", content: "x" }],
] as const)("%s removes only the entry of that very name", async (remove, field, add, entry) => {
  using room = memoryRoom();
  await room.call(add, entry);
  for (const name of RESEMBLING)
    expect(await room.call(remove, { [field]: name })).toMatchObject({
      status: "not_found",
      [field]: name,
      did_you_mean: "sk",
    });
  for (const name of CONTROLLED)
    expect(await room.call(remove, { [field]: name })).toMatchObject({
      status: "error",
      error: expect.stringContaining("invisible or control character"),
    });
  expect(await room.call(remove, { [field]: " SK " })).toEqual({ status: "removed", [field]: " SK " });
});

test("a decision is removed by its id or whole title, and not by a part of one", async () => {
  using room = memoryRoom();
  await room.call("context_record_decision", { title: "Use PostgreSQL 16" });
  const remove = (id: string) => room.call("memory_decision_rm", { id }, { caller: "person" });
  expect(await remove("postgresql")).toEqual({
    status: "not_found",
    id: "postgresql",
    did_you_mean: "Use PostgreSQL 16",
  });
  await expect(remove("1\0")).rejects.toThrow("control character");
  expect(await remove("use postgresql 16")).toMatchObject({ status: "removed" });
});
