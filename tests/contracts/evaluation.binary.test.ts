import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { EvalOutput } from "../../src/capabilities/evaluation/schemas.ts";
import { builtBinary } from "../support/dist.ts";
import { packsProject } from "./packs-project.ts";

const COMMITS = 12;
const ARGUMENTS = ["eval", "--commits", String(COMMITS), "--budget", "1000", "--json"];

const sender = (index: number) =>
  `package relay\n\n// Send${index} sends a letter.\nfunc Send${index}(to string) error {\n\treturn post(to)\n}\n`;

/** Each commit changes another function. */
function projectWithHistory() {
  const numbers = Array.from({ length: COMMITS }, (_, index) => index);
  const files = Object.fromEntries(numbers.map((index) => [`send${index}.go`, sender(index)]));
  const project = packsProject({ "go.mod": "module example.org/mail\n", ...files });
  for (const index of numbers) {
    project.write(`send${index}.go`, sender(index).replace("post(to)", "postAgain(to)"));
    project.git("add", "-A");
    project.git("commit", "-qm", `Post letter number ${index} again if the relay is busy`);
  }
  return project;
}

const project = projectWithHistory();
let binary: string;
beforeAll(async () => {
  binary = await builtBinary();
});
afterAll(() => project[Symbol.asyncDispose]());

const environment = (home: string) => ({ ...project.env, CONTEXTFUL_HOME: join(project.home, home) });
const run = (home: string, args: readonly string[]) =>
  spawnSync(process.execPath, [binary, ...args, "--root", project.root], {
    env: environment(home),
    encoding: "utf8",
  });
const resultOf = ({ stdout }: { readonly stdout: string }) => EvalOutput.parse(JSON.parse(stdout));

/** The results that a run has written so far. */
function unfinished(home: string): EvalOutput["tasks"] {
  const directory = join(project.home, home, "evaluation");
  const files = names(directory).flatMap((name) =>
    names(join(directory, name))
      .filter((file) => file.startsWith("unfinished-"))
      .map((file) => join(directory, name, file)),
  );
  const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n").slice(0, -1));
  return EvalOutput.shape.tasks.parse(lines.map((line) => JSON.parse(line).task));
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const withoutTimes = ({ tasks, head }: EvalOutput) => ({
  head,
  tasks: tasks.map((task) => ({
    ...task,
    answers: task.answers.map(({ milliseconds: _time, ...answer }) => answer),
  })),
});

test("a run that was killed continues where it stopped, with the same figures", async () => {
  const child = spawn(process.execPath, [binary, ...ARGUMENTS, "--root", project.root], {
    env: environment("killed"),
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  await vi.waitUntil(() => unfinished("killed").length > 0, { timeout: 240_000, interval: 5 });
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  const kept = unfinished("killed");
  expect(kept.length).toBeLessThan(COMMITS);
  const continued = resultOf(run("killed", ARGUMENTS));
  // With their times: they were not measured again.
  expect(continued.tasks.filter(({ commit }) => kept.some((each) => each.commit === commit))).toEqual(
    kept.toReversed(),
  );
  expect(unfinished("killed")).toEqual([]);
  expect(withoutTimes(continued)).toEqual(withoutTimes(resultOf(run("whole", ARGUMENTS))));
});

test("a figure below the demand is the exit code 1 and is named", () => {
  const few = ["eval", "--commits", "2", "--budget", "1000", "--against", "pack"];
  expect(run("demand", [...few, "--fail-under", "recall@1000=.1"])).toMatchObject({ status: 0 });
  expect(run("demand", [...few, "--fail-under", "recall@1000=.1,mrr=2"])).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("mrr=2: the pack has"),
  });
});
