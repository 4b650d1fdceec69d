import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const ROUNDS = 12;
const DOCUMENTS = 600;

function place() {
  const directory = tempDir();
  const root = join(directory.path, "project");
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(root, "contextful.toml"), '[connectors.filesystem.docs]\nroot = "docs"\n');
  const env = {
    PATH: process.env["PATH"],
    CONTEXTFUL_HOME: join(directory.path, "home"),
    CONTEXTFUL_CONFIG: join(directory.path, "config"),
  };
  return {
    root,
    env,
    write: (number: number, round: number) =>
      writeFileSync(
        join(root, "docs", `${number}.md`),
        `heron${number} round${round}\n\n${"some more words to cut and index ".repeat(300)}`,
      ),
    remove: (number: number) => rmSync(join(root, "docs", `${number}.md`)),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

test("after a kill at any step of a sync, acknowledged documents are there and complete", async () => {
  const binary = await builtBinary();
  using project = place();
  const args = (...words: string[]) => [binary, "documents", ...words, "--root", project.root];
  const json = (...words: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, args(...words, "--json"), {
      env: project.env,
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  for (let number = 0; number < DOCUMENTS; number += 1) project.write(number, 0);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (let number = round; number < DOCUMENTS; number += 3) project.write(number, round);
    // A different step each time: during or shortly after listing, reading and committing.
    const acknowledged = await killAt(round % 5, args("sync", "--progress", "json"), project.env);
    const { documents, chunks } = json("export");
    const joined = new Map<string, string>();
    for (const chunk of chunks)
      joined.set(chunk.document_id, (joined.get(chunk.document_id) ?? "") + chunk.text);
    const squeezed = (text: string) => text.replace(/\s+/g, "");
    for (const { id, body } of documents) expect(squeezed(joined.get(id) ?? "")).toBe(squeezed(body));
    expect(documents.length).toBeGreaterThanOrEqual(acknowledged);
  }
  project.remove(0);
  json("sync");
  expect(json("stats").documents).toBe(DOCUMENTS - 1);
  expect(json("search", `heron${DOCUMENTS - 1}`).results[0].source_id).toBe(`${DOCUMENTS - 1}.md`);
  expect(json("search", "heron0").results.map((each: { source_id: string }) => each.source_id)).not.toContain(
    "0.md",
  );
});

/** Kills the process after its nth line of progress; returns what was acknowledged before. */
function killAt(step: number, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  let acknowledged = 0;
  child.stderr.on("data", (chunk) => {
    said += chunk;
    const lines = said.split("\n").slice(0, -1);
    const steps = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    acknowledged = steps.at(-1)?.phase === "ingesting" && steps.length > 2 ? steps.at(-1).n : 0;
    if (steps.length > step) child.kill("SIGKILL");
  });
  return new Promise((settle) => child.on("close", () => settle(acknowledged)));
}

test("five processes search while one syncs, and all get answers", async () => {
  const binary = await builtBinary();
  using project = place();
  for (let number = 0; number < DOCUMENTS; number += 1) project.write(number, 0);
  const run = (...words: string[]) =>
    new Promise<{ code: number | null; out: string }>((settle) => {
      const child = spawn(process.execPath, [binary, "documents", ...words, "--root", project.root], {
        env: project.env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      let out = "";
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.on("close", (code) => settle({ code, out }));
    });
  const syncing = run("sync");
  const answers = [];
  for (let round = 0; round < 4; round += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 5 }, () => run("search", "words", "--json")))));
  }
  expect([
    (await syncing).code,
    answers.every(({ code, out }) => code === 0 && "results" in JSON.parse(out)),
  ]).toEqual([0, true]);
});
