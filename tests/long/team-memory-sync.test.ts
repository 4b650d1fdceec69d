import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { type Clone, makeTeam } from "../support/git-team.ts";

const STORE = ".context-teleport";
const binary = await builtBinary();

/** Runs the real command in a clone, with its own data directory, and answers its JSON. */
function contextful(clone: Clone, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const run = spawnSync(process.execPath, [binary, "memory", ...args, "--json", "--root", clone.path], {
    cwd: clone.path,
    encoding: "utf8",
    env: { ...process.env, CONTEXTFUL_HOME: join(clone.path, "..", "home"), ...env },
  });
  return { code: run.status, signal: run.signal, stdout: run.stdout, stderr: run.stderr };
}

function storeOf(clone: Clone): Record<string, string> {
  const directory = join(clone.path, STORE);
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".md") && !path.startsWith(".local"),
  );
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}

interface Move {
  readonly who: number;
  readonly what: number;
  readonly section: number;
  readonly word: string;
}
const moves = fc.array(
  fc.record({ who: fc.nat(2), what: fc.nat(5), section: fc.nat(3), word: fc.stringMatching(/^[a-z]{3,8}$/) }),
  { minLength: 200, maxLength: 200 },
);

/** One of: add an entry, append a section to a shared one, write a private one, push, pull. Answers the line it added. */
function play(clone: Clone, round: number, { who, what, section, word }: Move): string | undefined {
  const shared = `${STORE}/knowledge/shared-${section}.md`;
  if (what === 0) {
    clone.write(`${STORE}/knowledge/only-${round}.md`, `entry ${round}\n`);
    return `entry ${round}`;
  }
  if (what === 1) {
    clone.write(shared, `${clone.read(shared) ?? "# Shared\n"}## ${word} ${round}\n${word}\n`);
    return `## ${word} ${round}`;
  }
  if (what === 2) {
    clone.write(`${STORE}/knowledge/private-${who}.md`, `CANARY ${round}\n`);
    clone.write(`${STORE}/.local/scope.json`, JSON.stringify({ [`knowledge/private-${who}.md`]: "private" }));
  }
  if (what === 3) {
    const { code, stdout, stderr } = contextful(clone, ["push"]);
    // Two clones that made one entry apart have to settle it: a pull does.
    if (code !== 0) expect(stdout + stderr).toMatch(/waits for decisions|changed the same entries/);
  }
  if (what > 3) expect(contextful(clone, ["pull"])).toMatchObject({ code: 0 });
  return undefined;
}

test("three clones that edit at random end equal, every entry there and nothing private in any history", () => {
  using team = makeTeam(3);
  const added = (fc.sample(moves, { seed: 7, numRuns: 1 })[0] ?? []).flatMap((move, round) => {
    const clone = team.clones[move.who];
    return (clone && play(clone, round, move)) ?? [];
  });
  for (const verb of ["pull", "push", "pull", "push", "pull"]) {
    for (const clone of team.clones) contextful(clone, [verb]);
  }
  const stores = team.clones.map((clone) =>
    Object.fromEntries(Object.entries(storeOf(clone)).filter(([path]) => !path.includes("private-"))),
  );
  expect(stores[1]).toEqual(stores[0]);
  expect(stores[2]).toEqual(stores[0]);
  const lines = new Set(Object.values(stores[0] ?? {}).flatMap((text) => text.split("\n")));
  expect(added.filter((line) => !lines.has(line))).toEqual([]);
  expect(team.remote.git("log", "-p", "--all")).not.toContain("CANARY");
});

describe("killed at every git step", () => {
  /** A `git` that kills whoever started it at its Nth start, before or after doing the work. */
  function killingGit(directory: string, at: number, after: boolean): NodeJS.ProcessEnv {
    mkdirSync(directory, { recursive: true });
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const counter = join(directory, "count");
    writeFileSync(counter, "0");
    const kill = `if [ "$n" = "${at}" ]; then kill -9 "$PPID"; fi`;
    const script = `#!/bin/sh\nn=$(($(cat '${counter}') + 1)); echo $n > '${counter}'\n${after ? "" : kill}\n'${real}' "$@"\ncode=$?\n${after ? kill : ""}\nexit $code\n`;
    writeFileSync(join(directory, "git"), script);
    chmodSync(join(directory, "git"), 0o755);
    return { PATH: `${directory}:${process.env["PATH"]}` };
  }

  test.each(["push", "pull"])(
    "during a %s, the repository is sound and the next call ends the work",
    (verb) => {
      using start = makeTeam(2);
      const [first, second] = start.clones;
      if (!first || !second) throw new Error("two clones");
      first.write(`${STORE}/knowledge/k.md`, "## A\na\n## B\nb\n");
      contextful(first, ["push"]);
      contextful(second, ["pull"]);
      first.write(`${STORE}/knowledge/k.md`, "## A\na1\n## B\nb\n");
      first.write("code.txt", "one\nTWO\nthree\n");
      first.git("commit", "-qm", "code", "--", "code.txt");
      contextful(first, ["push"]);
      second.write(`${STORE}/knowledge/k.md`, "## A\na\n## B\nb2\n");
      let steps = 0;
      for (let wasKilled = true; wasKilled; steps++) {
        using team = start.copy();
        const ben = team.clones[1];
        if (!ben) throw new Error("two clones");
        const env = killingGit(join(team.home, "bin"), steps + 1, steps % 2 === 0);
        wasKilled = contextful(ben, [verb], env).signal === "SIGKILL";
        ben.git("fsck", "--no-dangling", "--no-progress");
        for (const next of verb === "pull" ? ["pull", "push"] : ["push"]) {
          expect(contextful(ben, [next])).toMatchObject({ code: 0 });
        }
        const merged = "## A\na1\n## B\nb2\n";
        expect([
          steps,
          team.remote.git("show", `main:${STORE}/knowledge/k.md`),
          ben.read(`${STORE}/knowledge/k.md`),
          ben.read("code.txt"),
        ]).toEqual([steps, merged, merged, "one\nTWO\nthree\n"]);
      }
      expect(steps).toBeGreaterThan(10);
    },
  );
});
