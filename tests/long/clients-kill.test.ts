import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { CLIENTS } from "../../src/capabilities/clients/known-clients.ts";
import { jsonForms, serversKey, TOML_FORMS } from "../contracts/clients-cases.ts";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const ROUNDS = 40;

test("setup killed at any time leaves every file old or new, and undo restores the first bytes", async () => {
  using dir = tempDir();
  const binary = await builtBinary();
  const home = join(dir.path, "home");
  const root = join(dir.path, "project");
  mkdirSync(home);
  mkdirSync(root);
  const clients = CLIENTS.filter(({ id }) => id !== "cline");
  const files = clients.map((client) => {
    const file = client.file("project", { root, home, env: {}, platform: process.platform }) ?? "";
    const forms = client.format === "toml" ? TOML_FORMS : jsonForms(serversKey(client.id));
    const text = forms["comments everywhere"] ?? forms["another server and comments"] ?? "";
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return { file, text };
  });
  const env = { PATH: process.env["PATH"], HOME: home, CONTEXTFUL_HOME: join(home, "data") };
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [binary, "setup", ...args], { cwd: root, env, stdio: "ignore" });
    return { child, end: new Promise<number | null>((resolve) => child.on("close", resolve)) };
  };
  const all = clients.map(({ id }) => id);
  const began = performance.now();
  expect(await start(...all, "--yes").end).toBe(0);
  const whole = performance.now() - began;
  const written = files.map(({ file }) => readFileSync(file, "utf8"));
  expect(await start("--undo").end).toBe(0);

  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, end } = start(...all, "--yes");
    await pause((whole * (round + 1)) / ROUNDS);
    child.kill("SIGKILL");
    await end;
    for (const [place, { file, text }] of files.entries())
      expect([text, written[place]]).toContain(readFileSync(file, "utf8"));
    expect(await start("--undo").end).toBe(0);
    expect(files.map(({ file }) => readFileSync(file, "utf8"))).toEqual(files.map(({ text }) => text));
  }
  expect(existsSync(join(home, "data"))).toBe(true);
  const left = files.flatMap(({ file }) =>
    readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp")),
  );
  expect(left.length).toBeLessThanOrEqual(ROUNDS);
});
