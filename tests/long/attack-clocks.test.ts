import { spawnSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { makeTeam } from "../support/git-team.ts";

/** Each step runs at its own time, so that the clock also goes back. */
const YEARS = [2100, 1970, 2026] as const;

/** Sets the clock of our program. The file system keeps the true time, so both also disagree. */
const CLOCK = `const year = Number(process.env.TEST_YEAR);
const Real = Date;
const start = Real.now();
const shifted = () => Real.UTC(year, 0, 1) + 1 + Real.now() - start;
globalThis.Date = class extends Real {
  constructor(...values) {
    if (values.length === 0) super(shifted());
    else super(...values);
  }
  static now() {
    return shifted();
  }
};
`;

test("a clock that jumps between 1970 and 2100 hides no change and stops no command", async () => {
  using team = makeTeam(1);
  const [clone] = team.clones;
  if (!clone) throw new Error("one clone");
  clone.write("contextful.toml", '[connectors.filesystem.d]\nroot = "docs"\ninclude = ["**/*"]\n');
  const preload = join(clone.path, "..", "clock.mjs");
  writeFileSync(preload, CLOCK);
  const binary = await builtBinary();
  for (const year of YEARS) {
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, binary, ...args], {
        cwd: clone.path,
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          HOME: team.home,
          CONTEXTFUL_HOME: join(team.home, "data"),
          TEST_YEAR: String(year),
        },
      });
      expect([year, args, status, `${stdout}${stderr}`]).toEqual([
        year,
        args,
        0,
        expect.not.stringMatching(/NaN|Invalid/),
      ]);
      return stdout;
    };
    clone.write("shop.ts", `export function price${year}() { return ${year}; }\n`);
    clone.write("docs/guide.md", `# Guide\n\nThe refund of ${year} takes a day.\n`);
    // The file's own time may be of any year too, and its length stays.
    utimesSync(join(clone.path, "shop.ts"), year - 1_970, year - 1_970);
    run("code", "index", ".");
    expect(run("code", "search", `price${year}`, ".")).toContain(`price${year}`);
    run("documents", "sync", "all");
    expect(run("documents", "search", "refund")).toContain(String(year));
    run("memory", "knowledge", "add", "clock", `written in ${year}`);
    expect(run("memory", "knowledge", "get", "clock")).toBe(`written in ${year}\n`);
    run("memory", "push");
    run("directories", "init");
    run("caches", "build", "--force", "--sources", "docs", "--cache", "cache");
    run("caches", "verify", "--cache", "cache");
    run("pack", "refund", "--budget", "2000");
  }
  expect(team.remote.git("show", "main:.context-teleport/knowledge/clock.md")).toContain("written in 2026");
});
