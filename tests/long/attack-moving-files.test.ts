import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const FILES = 12;

/** A project whose files grow, shrink and vanish with each step. */
function movingProject() {
  const dir = tempDir();
  const project = join(dir.path, "project");
  mkdirSync(join(project, "docs"), { recursive: true });
  const settings = '[connectors.filesystem.docs]\nroot = "docs"\ninclude = ["**/*.md"]\n';
  writeFileSync(join(project, "contextful.toml"), settings);
  const files = Array.from({ length: FILES }, (_, n) => [
    join(project, "docs", `d${n}.md`),
    join(project, `c${n}.ts`),
  ]).flat();
  const fill = (file: string) =>
    writeFileSync(file, `// start\nexport const value = 1;\n${"words ".repeat(2_000)}\n`);
  for (const file of files) fill(file);
  let step = 0;
  const move = () => {
    step += 1;
    const file = files[(step * 7) % files.length] ?? "";
    if (step % 4 === 0) rmSync(file, { force: true });
    else if (step % 4 === 1) fill(file);
    else if (step % 4 === 2) appendFileSync(file, "grows ".repeat(2_000));
    else {
      fill(file);
      truncateSync(file, 20);
    }
  };
  return { dir, project, files, move };
}

test("files that grow, shrink and vanish while they are read end in a correct index", async () => {
  const { dir, project, files, move } = movingProject();
  using _dir = dir;
  const binary = await builtBinary();
  const env = { PATH: process.env["PATH"], HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") };
  const run = async (args: readonly string[], meanwhile: () => void = () => {}) => {
    const child = spawn(process.execPath, [binary, ...args], { cwd: project, env });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const ended = once(child, "close");
    while (child.exitCode === null && child.signalCode === null) {
      meanwhile();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [code] = await ended;
    return { code, said };
  };
  const isBug = /ended by a bug|unhandled|internal/i;
  for (let round = 0; round < 2; round += 1) {
    const synced = await run(["documents", "sync", "all"], move);
    const indexed = await run(["code", "index", "."], move);
    expect([round, synced.said, indexed.said]).toEqual([
      round,
      expect.not.stringMatching(isBug),
      expect.not.stringMatching(isBug),
    ]);
  }
  for (const [n, file] of files.entries())
    writeFileSync(file, `# final${n}\nexport const final${n} = ${n};\n`);
  expect([
    (await run(["documents", "sync", "all", "--full"])).code,
    (await run(["code", "index", "."])).code,
    (await run(["documents", "search", "final0"])).said.includes("d0.md"),
    (await run(["code", "search", ".", "final1"])).said.includes("c0.ts"),
    (await run(["documents", "search", "grows"])).said.includes("d0.md"),
  ]).toEqual([0, 0, true, true, false]);
});
