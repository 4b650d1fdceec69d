import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { makeTeam } from "../support/git-team.ts";

/** A clone, and what a person runs in it. */
async function terminal() {
  const team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  const binary = await builtBinary();
  return {
    clone,
    run(input: string, ...args: string[]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [binary, "memory", ...args], {
        cwd: clone.path,
        encoding: "utf8",
        input,
        env: { ...process.env, CONTEXTFUL_HOME: team.home },
      });
      return { status, stdout, stderr };
    },
    [Symbol.dispose]: () => team[Symbol.dispose](),
  };
}

test("an entry's text comes from standard input if it is given nowhere else", async () => {
  using here = await terminal();
  expect(here.run("piped\n", "knowledge", "add", "p").status).toBe(0);
  expect(here.clone.read(".context-teleport/knowledge/p.md")).toBe("piped\n");
  expect(here.run("", "knowledge", "add", "p")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Give the text, --file PATH, or the text on standard input."),
  });
  expect(here.run("", "knowledge", "add", "p", "x", "--file", "y").stderr).toContain("not both");
});

test("init with the merge driver prints the project's own name", async () => {
  using here = await terminal();
  here.run("", "init", "--name", "ours");
  expect(here.run("", "init", "--merge-driver").stdout).toMatch(/^The context store of ours is in /);
});
