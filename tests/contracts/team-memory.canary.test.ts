import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTeamMemory } from "../../src/capabilities/team-memory/index.ts";
import { invoke } from "../../src/core/tool.ts";
import { makeTeam } from "../support/git-team.ts";
import { testCall, testMachine } from "../support/machine.ts";

const CANARY = "canary-8f21";

test("nothing of a private or ephemeral entry of any kind reaches a commit", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const room = openTeamMemory(testMachine(clone.path));
  const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const tool = room.tools.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const answer = JSON.stringify(await invoke(tool, input, testCall({ actor: "mcp:test" })));
    expect(answer).not.toContain('"error"');
    return answer;
  };
  for (const scope of ["private", "ephemeral"]) {
    const secret = `${CANARY}-${scope}`;
    await call("context_add_knowledge", { key: `k-${secret}`, content: secret, scope });
    await call("context_add_convention", { key: `c-${secret}`, content: secret, scope });
    await call("context_record_decision", { title: `d ${secret} `, context: secret, scope });
    await call("context_add_skill", {
      name: `s-${secret}`,
      description: secret,
      instructions: secret,
      scope,
    });
    await call("context_report_skill_usage", { skill_name: `s-${secret}` });
    await call("context_rate_skill", { skill_name: `s-${secret}`, rating: 1, comment: secret });
    await call("context_propose_skill_improvement", {
      skill_name: `s-${secret}`,
      proposed_content: `---\nname: s-${secret}\ndescription: ${secret}\n---\n\n${secret} better\n`,
      rationale: secret,
    });
  }
  await call("context_update_state", { current_task: CANARY, blockers: CANARY });
  await call("context_add_knowledge", { key: "open", content: "public text" });
  await call("context_sync_push", {});
  // Made private before its first push, changed after a push, removed after it.
  await call("context_add_knowledge", { key: `late-${CANARY}`, content: CANARY });
  await call("context_set_scope", { entry_type: "knowledge", key: `late-${CANARY}`, scope: "private" });
  await call("context_add_skill", { name: "turned", description: "public", instructions: "public" });
  await call("context_sync_push", { message: "everything so far" });
  await call("context_set_scope", { entry_type: "skill", key: "turned", scope: "ephemeral" });
  await call("context_add_skill", { name: "turned", description: CANARY, instructions: CANARY });
  await call("context_rate_skill", { skill_name: "turned", rating: 2, comment: CANARY });
  await call("context_sync_push", {});
  await call("context_remove_knowledge", { key: `k-${CANARY}-private` });
  await call("context_sync_push", {});
  const history = team.remote.git("log", "-p", "--all", "--format=fuller", "--full-history");
  expect(history).toContain("public text");
  expect(history).not.toContain(CANARY);
  expect(team.remote.git("ls-tree", "-r", "--name-only", "main")).not.toContain("turned");
  // The user's own `git add` does not take them either.
  clone.git("add", "-A");
  expect(clone.git("diff", "--cached")).not.toContain(CANARY);
  expect(readFileSync(join(clone.path, ".context-teleport/skills/turned/SKILL.md"), "utf8")).toContain(
    CANARY,
  );
});
