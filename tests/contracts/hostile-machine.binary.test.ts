import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Root may read everything, so these run as nobody then. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A repository with one open file, and one in the directory `closed`. */
function openRepository() {
  const dir = tempDir();
  const project = join(dir.path, "project");
  mkdirSync(join(project, "closed"), { recursive: true });
  writeFileSync(join(project, "open.ts"), "export const openValue = 1;\n");
  writeFileSync(join(project, "closed", "inner.ts"), "export const innerValue = 1;\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: project });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [await builtBinary(), ...args], {
      cwd: project,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    return { status, text: `${stdout}${stderr}` };
  };
  return { dir, project, run };
}

/** The user nobody cannot use a Node or a clone that is in root's own directory. */
async function isLeftOut(): Promise<boolean> {
  if (process.platform === "win32") return true;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  return spawnSync(process.execPath, [await builtBinary(), "--version"], { cwd: "/", ...user }).status !== 0;
}

test.skipIf(await isLeftOut())("a directory that is closed to this user stops no command", async () => {
  const { dir, project, run } = openRepository();
  using _dir = dir;
  if (isRoot) {
    chmodSync(dir.path, 0o755);
    for (const path of ["", ...readdirSync(dir.path, { recursive: true, encoding: "utf8" })])
      chownSync(join(dir.path, path), NOBODY, NOBODY);
  }
  chmodSync(join(project, "closed"), 0);
  try {
    const index = await run("code", "index", ".");
    const search = await run("code", "search", ".", "openValue");
    const pack = await run("pack", "openValue", "--budget", "1000");
    const directories = await run("directories", "init");
    expect(
      [index, search, pack, directories].map(({ status, text }) => [status, /error/i.exec(text)?.input]),
    ).toEqual(Array.from({ length: 4 }, () => [0, undefined]));
    expect([search.text, pack.text]).toEqual([
      expect.stringContaining("open.ts"),
      expect.stringContaining("open.ts"),
    ]);
  } finally {
    chmodSync(join(project, "closed"), 0o755);
  }
});
