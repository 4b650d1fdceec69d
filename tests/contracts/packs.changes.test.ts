import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madeUp } from "../support/made-up.ts";
import { PROJECT, packsProject } from "./packs-project.ts";

const RANGE = { task: "review this", diff: "HEAD~1..HEAD" };

/** What a pack says about each changed file of the last commit. */
async function changesOf(project: ReturnType<typeof packsProject>) {
  const { items } = await project.pack(RANGE);
  return items
    .filter(({ kind }) => kind === "change")
    .map(({ path, start, text, freshness }) => [path, start, text, freshness]);
}

function commit(project: ReturnType<typeof packsProject>) {
  project.git("add", "-A");
  project.git("commit", "-qm", "second");
}

test("every change of a range is listed, whatever the name and the fate of the file", async () => {
  await using project = packsProject({
    "gone.go": "package gone\n",
    "shorter.go": "package shorter\n\nvar a = 1\n",
    "picture.png": "\0\x01",
  });
  const names = ["b b/b.go", "größe.go", "a\nb.go", 'say "hi".go', "[id].go", "a  b.go"];
  for (const [index, name] of names.entries()) project.write(name, `package p${index}\n`);
  project.write("shorter.go", "package shorter\n");
  writeFileSync(join(project.root, "picture.png"), Buffer.from([0, 2]));
  rmSync(join(project.root, "gone.go"));
  symlinkSync("shorter.go", join(project.root, "link.go"));
  commit(project);
  expect(new Set(await changesOf(project))).toEqual(
    new Set([
      ...names.map((name, index) => [name, 1, `package p${index}`, "fresh"]),
      ["gone.go", 0, "The file was deleted.", "not checked"],
      ["shorter.go", 1, "-\n-var a = 1", "fresh"],
      ["picture.png", 0, "A binary or very large file was modified.", "not checked"],
      ["link.go", 0, "A link was added.", "not checked"],
    ]),
  );
});

test("if a file changed after the range, the version of the range is quoted and marked", async () => {
  await using project = packsProject({ "relay.go": "package relay\n", "other.go": "package other\n" });
  for (const name of ["relay", "other", "ends", "removed"])
    project.write(`${name}.go`, `package ${name}\n\nvar busy = true\n`);
  commit(project);
  project.write("relay.go", "// Another first line.\n// And another.\npackage relay\n\nvar idle = true\n");
  project.write("ends.go", "package ends\r\n\r\nvar busy = true\r\n");
  rmSync(join(project.root, "removed.go"));
  expect(new Set(await changesOf(project))).toEqual(
    new Set([
      ["other.go", 2, "\nvar busy = true", "fresh"],
      ["relay.go", 2, "\nvar busy = true", "changed since indexed"],
      ["ends.go", 1, "package ends\n\nvar busy = true", "fresh"],
      ["removed.go", 1, "package removed\n\nvar busy = true", "changed since indexed"],
    ]),
  );
});

test("a review sees removed lines, every hunk of a file, the source first and the lock file last", async () => {
  const line = (index: number) => `var v${index} = ${index}`;
  const before = ["package relay", ...Array.from({ length: 20 }, (_, index) => line(index))];
  await using project = packsProject({
    "a.lock": "one\n",
    "a.md": "one\n",
    "relay.go": `${before.join("\n")}\n`,
    "relay_test.go": "package relay\n",
  });
  const after = before
    .map((text) => (text === line(2) ? "var busy = true" : text))
    .filter((text) => text !== line(15));
  project.write("relay.go", `${after.join("\n")}\n`);
  project.write("relay_test.go", "package relay\n\nvar tested = true\n");
  project.write("a.lock", "two\n");
  project.write("a.md", "two\n");
  commit(project);
  expect((await changesOf(project)).map(([path, , text]) => [path, text])).toEqual([
    ["relay.go", "@@ -4,1 +4,1 @@\n-var v2 = 2\n+var busy = true\n@@ -17,1 +16,0 @@\n-var v15 = 15"],
    ["a.md", "-one\n+two"],
    ["relay_test.go", "\nvar tested = true"],
    ["a.lock", "-one\n+two"],
  ]);
});

test("a range brings the callers of what changed and the tests that cover it", async () => {
  await using project = packsProject();
  await project.fill();
  project.write("send/send.go", (PROJECT["send/send.go"] ?? "").replace("return errBusy", "return errGone"));
  commit(project);
  await project.call("index_codebase", { path: project.root });
  const { items } = await project.pack(RANGE);
  const why = new Map(items.map(({ path, title, why: reason }) => [`${path} ${title}`, reason]));
  expect([
    why.get("send/send.go Deliver"),
    why.get("main.go main"),
    why.get("send/send_test.go TestDeliverGivesUp"),
  ]).toEqual(["touched by the change", "uses Deliver", "tests Deliver"]);
});

test("a small budget has every changed line and a caller, not what a long function uses", async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `\tprintln("step", ${index}, "of the relay")`);
  const relay = (body: readonly string[]) =>
    `package relay\n\nfunc Relay() {\n\tstep()\n${body.join("\n")}\n}\n`;
  await using project = packsProject({
    "relay.go": relay(lines),
    "main.go": "package relay\n\nfunc run() {\n\tRelay()\n}\n",
    "step.go": "package relay\n\nfunc step() {}\n",
  });
  project.write("relay.go", relay(lines.map((line, at) => (at % 10 === 0 ? `${line} // again` : line))));
  commit(project);
  await project.call("index_codebase", { path: project.root });
  const { items } = await project.pack({ ...RANGE, budget: 1600 });
  expect(items.map(({ kind, title, size }) => [kind, title, size])).toEqual([
    ["change", "relay.go (modified)", "whole"],
    ["code", "run", "whole"],
    ["code", "Relay", "brief"],
  ]);
});

test("a file that replaces a link is quoted by its lines", async () => {
  await using project = packsProject({ "relay.go": "package relay\n" });
  symlinkSync("relay.go", join(project.root, "other.go"));
  project.git("add", "-A");
  project.git("commit", "-qm", "a link");
  rmSync(join(project.root, "other.go"));
  project.write("other.go", "package other\n");
  commit(project);
  expect(await changesOf(project)).toEqual([["other.go", 1, "package other", "fresh"]]);
});

test("a range with missing git objects is refused, not reported as unchanged", async () => {
  await using project = packsProject({ "relay.go": "package relay\n" });
  project.write("relay.go", "package relay\n\nvar busy = true\n");
  commit(project);
  const blob = project.git("rev-parse", "HEAD~1:relay.go").trim();
  rmSync(join(project.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  await expect(project.pack(RANGE)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining('Run "git diff HEAD~1..HEAD" once'),
  });
});

test("a private key in a change is redacted, even if only its middle changed", async () => {
  const body = Array.from({ length: 12 }, (_, line) => madeUp(60 + line));
  const pem = (lines: readonly string[]) =>
    ["-----BEGIN RSA ", `PRIVATE KEY-----\n${lines.join("\n")}\n-----END RSA `, "PRIVATE KEY-----\n"].join(
      "",
    );
  await using project = packsProject({ "key.txt": pem(body.slice(6)) });
  project.write("key.txt", pem([...body.slice(6, 8), ...body.slice(0, 6), ...body.slice(8)]));
  commit(project);
  const { markdown } = await project.pack(RANGE);
  expect(markdown).toContain("key.txt");
  expect(body.filter((line) => markdown.includes(line))).toEqual([]);
});
