import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testMachine } from "../../../../tests/support/machine.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { loadConfig } from "../../../core/config/load.ts";
import { choosePush, withChoice } from "./push-choice.ts";

test.each([true, false])(
  "the answer %s is kept in the user's configuration, and asked for once",
  async (answer) => {
    using dir = tempDir();
    const root = join(dir.path, "project");
    const env = { CONTEXTFUL_CONFIG: join(dir.path, "config") };
    mkdirSync(root);
    execFileSync("git", ["init", "-q", root]);
    const machine = testMachine(root, { env });
    const questions: string[] = [];
    const confirm = async (_plan: string, question: string) => {
      questions.push(question);
      return answer;
    };
    await choosePush(machine, { confirm });
    expect(questions).toEqual([]);
    execFileSync("git", ["-C", root, "remote", "add", "origin", "https://example.com/team.git"]);
    await choosePush(machine, {});
    await choosePush(machine, { confirm });
    await choosePush(machine, { confirm });
    expect(questions).toEqual(["Push it at the end of each session?"]);
    const kept = readFileSync(join(env.CONTEXTFUL_CONFIG, "config.toml"), "utf8");
    expect(kept).toBe(`[memory]\npush_at_shutdown = ${answer}\n`);
    writeFileSync(join(root, "contextful.toml"), "[memory]\npush_at_shutdown = true\n");
    expect((await loadConfig({ root, env })).memory.push_at_shutdown).toBe(answer);
  },
);

test("the choice goes into the table that is there, and nothing else changes", () => {
  const before = '[server]\nbind = "127.0.0.1:1"\n[memory] # ours\nbranch = "memory"\n';
  expect(withChoice(before, false)).toBe(
    '[server]\nbind = "127.0.0.1:1"\n[memory] # ours\npush_at_shutdown = false\nbranch = "memory"\n',
  );
});
