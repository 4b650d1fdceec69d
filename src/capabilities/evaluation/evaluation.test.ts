import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packsProject } from "../../../tests/contracts/packs-project.ts";
import { madeUp } from "../../../tests/support/made-up.ts";
import { EvalOutput } from "./schemas.ts";

const relay = (body: string) =>
  `package relay\n\n// Deliver sends a message.\nfunc Deliver(to string) error {\n${body}\n\treturn nil\n}\n\nfunc other() {}\n`;

/** A project with two commits that are tasks, and some that are not. */
function projectWithHistory() {
  const project = packsProject({
    "go.mod": "module example.org/mail\n",
    "relay.go": relay("\tsend(to)"),
    "docs/relays.md": "# Relays\n\nIf the relay is busy, the message waits for a minute.\n",
  });
  const commit = (message: string) => {
    project.git("add", "-A");
    project.git("commit", "-qm", message);
  };
  project.write("relay.go", relay('\tif to == "" {\n\t\treturn errEmpty\n\t}\n\tsend(to)'));
  commit(
    "Refuse a message without an address\n\nDeliver() in relay.go must not send it.\n\nCo-authored-by: A <a@example.org>",
  );
  project.write("README.md", "# Mail\n");
  commit("Say what this project is about");
  project.write("relay.go", relay("\tretry(to)"));
  commit("Try to send the message again if the relay is busy");
  project.write("relay.go", relay("\tsend(to)"));
  commit('Revert "Try to send the message again if the relay is busy"');
  return project;
}

describe("an evaluation", () => {
  const project = projectWithHistory();
  let output: EvalOutput;
  beforeAll(async () => {
    output = EvalOutput.parse(await project.call("evaluation_run", { commits: 10, budget: ["1000"] }));
  });
  afterAll(() => project[Symbol.asyncDispose]());

  test("takes commits that change source as tasks, without what gives the answer away", () => {
    expect(output.tasks.map(({ task, functions, files }) => ({ task, functions, files }))).toEqual([
      {
        task: "Try to send the message again if the relay is busy",
        functions: ["relay.go#Deliver"],
        files: ["relay.go"],
      },
      {
        task: "Refuse a message without an address in must not send it.",
        functions: ["relay.go#Deliver"],
        files: ["relay.go"],
      },
    ]);
  });

  test("measures every method at every budget", () => {
    expect(
      output.methods.map(({ method, budgets }) => [method, budgets.map(({ budget }) => budget)]),
    ).toEqual(["grep", "bm25", "search", "pack"].map((method) => [method, [1000]]));
    const pack = output.methods.find(({ method }) => method === "pack");
    expect([pack?.budgets[0]?.recall.mean, pack?.mrr]).toEqual([1, 1]);
    expect(output.pack_compared.map(({ method }) => method)).toEqual(["grep", "bm25", "search"]);
  });

  test("measures packs as an agent gets them, with the documents of the project", () => {
    const pack = output.tasks[0]?.answers.find(({ method }) => method === "pack");
    expect(pack?.given).toEqual(["relay.go:3-10", "relay.go:12-12", "docs/relays.md:1-3"]);
  });

  test("is kept, and its report can be read again", async () => {
    expect(await project.call("evaluation_report", {})).toEqual({
      made_at: expect.stringMatching(/^\d{4}-/),
      report: output,
    });
  });

  test("does not touch the work tree, and leaves no copy of it", () => {
    expect(project.git("status", "--porcelain")).toBe("");
    const left = execFileSync("find", [project.home, "-name", "relay.go"], { encoding: "utf8" });
    expect(left).toBe("");
  });

  test("gives the same figures again, and a comparison with a baseline says so", async () => {
    writeFileSync(join(project.home, "before.json"), JSON.stringify(output));
    const again = EvalOutput.parse(
      await project.call("evaluation_run", {
        commits: 10,
        budget: ["1000"],
        baseline: join(project.home, "before.json"),
        html: join(project.home, "report.html"),
        fail_under: "recall@1000=.5,mrr=2",
      }),
    );
    const figures = ({ tasks }: EvalOutput) =>
      tasks.map(({ answers, ...task }) => ({
        ...task,
        answers: answers.map(({ milliseconds: _time, ...answer }) => answer),
      }));
    expect(figures(again)).toEqual(figures(output));
    expect(new Set(again.baseline?.map(({ verdict }) => verdict))).toEqual(new Set(["within chance"]));
    expect(again.below).toEqual(["mrr=2: the pack has 1.000"]);
    const report = readFileSync(join(project.home, "report.html"), "utf8");
    expect([report.includes("<svg"), /<script|src=|href=/.test(report)]).toEqual([true, false]);
  });

  test.each([
    ["a figure that was not measured", { fail_under: "recall@4000=.5", budget: ["1000"], commits: 1 }],
    ["a baseline that is not a result", { baseline: "go.mod" }],
  ])("refuses %s", async (_what, input) => {
    await expect(project.call("evaluation_run", input)).rejects.toMatchObject({ code: "invalid_input" });
  });
});

test("a test among source that a commit changed is no answer", async () => {
  const source = (sent: number) =>
    `pub fn deliver() -> u32 {\n    ${sent}\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it_delivers() {\n        assert_eq!(super::deliver(), ${sent});\n    }\n}\n`;
  await using project = packsProject({ "src/lib.rs": source(1) });
  project.write("src/lib.rs", source(2));
  project.git("commit", "-qam", "Send every message twice to be sure");
  const output = await project.call("evaluation_run", { commits: 9, budget: ["1000"], against: ["bm25"] });
  expect(EvalOutput.parse(output).tasks.map(({ functions }) => functions)).toEqual([["src/lib.rs#deliver"]]);
});

test("commits whose objects git lacks are left out and counted", async () => {
  await using project = projectWithHistory();
  const lost = project.git("rev-parse", "HEAD~3:relay.go").trim();
  rmSync(join(project.root, ".git", "objects", lost.slice(0, 2), lost.slice(2)));
  const run = () => project.call("evaluation_run", { commits: 10, budget: ["1000"], against: ["bm25"] });
  await expect(run()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("Git lacks objects of all 2 commits"),
  });
  project.write("relay.go", relay("\tsend(to)\n\tsend(to)"));
  project.git("commit", "-qam", "Send every message twice to be sure");
  const { tasks, left_out } = EvalOutput.parse(await run());
  expect(tasks.map(({ task }) => task)).toEqual(["Send every message twice to be sure"]);
  expect(left_out).toEqual([{ reason: "git lacks objects of them", commits: 2 }]);
});

test("a history that ends at a missing tree is read up to there", async () => {
  await using project = projectWithHistory();
  const lost = project.git("rev-parse", "HEAD~3^{tree}").trim();
  rmSync(join(project.root, ".git", "objects", lost.slice(0, 2), lost.slice(2)));
  const output = await project.call("evaluation_run", { commits: 9, budget: ["1000"], against: ["bm25"] });
  const { tasks, left_out } = EvalOutput.parse(output);
  expect(tasks.map(({ task }) => task)).toEqual(["Try to send the message again if the relay is busy"]);
  expect(left_out).toEqual([{ reason: "git lacks objects of them", commits: 1 }]);
});

test("a hostile history is replayed, and its messages are no arguments of git", async () => {
  await using project = packsProject({
    "go.mod": "module example.org/mail\n",
    "relay.go": relay("\tsend(to)"),
  });
  const git = (args: readonly string[], input: string) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: project.root,
      encoding: "utf8",
      input,
    }).trim();
  const blob = git(["hash-object", "-w", "relay.go"], "");
  const root = git(["rev-parse", "HEAD^{tree}"], "");
  // A name that no file system takes, and one for a file and a directory.
  const odd = [
    `100644 blob ${blob}\t${"x".repeat(400)}`,
    `100644 blob ${blob}\ta`,
    `040000 tree ${root}\ta`,
  ].map((row) => `${row}\0`);
  const commit = (body: string, message: string) => {
    project.write("relay.go", relay(body));
    project.git("add", "-A");
    const files = git(["ls-tree", "-z", git(["write-tree"], "")], "");
    const tree = git(["mktree", "-z"], `${files}${odd.join("")}`);
    project.git("update-ref", "HEAD", git(["commit-tree", tree, "-p", "HEAD"], message));
  };
  const canary = join(project.root, "..", "canary");
  const forged = `\x01${"a".repeat(40)}\x02--output=${canary}\x02Send the message again and again`;
  commit("\tretry(to)", `Try to send the message again if the relay is busy\n\n${forged}`);
  commit("\tsend(from)", "Send the message from the one who wrote it");
  const { tasks } = EvalOutput.parse(await project.call("evaluation_run", { commits: 10, budget: ["1000"] }));
  expect(tasks.map(({ task }) => task)).toEqual(["Send the message from the one who wrote it"]);
  expect(existsSync(canary)).toBe(false);
});

test("a report holds no secret, no escape and no markup of a commit message", async () => {
  await using project = packsProject({
    "go.mod": "module example.org/mail\n",
    "relay.go": relay("\tsend(to)"),
  });
  const secret = `ghp_${madeUp(36)}`;
  project.write("relay.go", relay("\tretry(to)"));
  project.git("add", "-A");
  const message = `Send it again <img src=x onerror=alert(1)> with \x1b[31m${secret}\x1b[0m at the relay`;
  project.git("commit", "-qm", message);
  const html = join(project.home, "report.html");
  await project.call("evaluation_run", { commits: 10, budget: ["200"], against: ["grep"], html });
  const stored = readdirSync(project.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:html|json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  expect(stored.join()).toContain("[redacted: ");
  for (const hidden of [secret, "\x1b", "\\u001b"]) expect(stored.join()).not.toContain(hidden);
  expect(readFileSync(html, "utf8")).not.toContain("<img");
});
