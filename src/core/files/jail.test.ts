import { execFileSync, spawn } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { allowRoots, refuseTooWide } from "./allowed-roots.ts";
import { openJail } from "./jail.ts";

const SECRET = "the secret outside";

/** `app` beside `app-secret`; links and special files inside `app` lead to the secret. */
async function makePrison() {
  const dir = tempDir();
  const root = join(dir.path, "app");
  const outside = join(dir.path, "app-secret");
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "x"), SECRET);
  writeFileSync(join(root, "inside.txt"), "inside");
  writeFileSync(join(root, "sub", "..foo"), "a name");
  return { root, outside, jail: await openJail(root), [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

describe("paths that leave the root are refused for read, stat and write", () => {
  test.each([
    ["1: dots", "../../etc/passwd"],
    ["1: dots in the middle", "sub/../../app-secret/x"],
    ["2: an absolute path", "/etc/passwd"],
    ["4: Windows separators", "..\\app-secret\\x"],
    ["4: a drive", "C:\\Windows\\x"],
    ["4: a network share", "\\\\host\\share"],
    ["4: a file URL", "file:///etc/passwd"],
    ["4: a URL of ours", "ctx://file/..%2f..%2fetc"],
    ["13: a kernel file", "/proc/self/environ"],
  ])("%s", async (_case, path) => {
    using prison = await makePrison();
    const refused = { code: "forbidden_path", reason: "path_outside_root" };
    await expect(prison.jail.read(path)).rejects.toMatchObject(refused);
    await expect(prison.jail.stat(path)).rejects.toMatchObject(refused);
    await expect(prison.jail.resolve(path)).rejects.toMatchObject(refused);
    await expect(prison.jail.write(path, "x")).rejects.toMatchObject(refused);
    expect(readFileSync(join(prison.outside, "x"), "utf8")).toBe(SECRET);
  });
});

test("3: a directory whose name starts with the root's name is outside", async () => {
  using prison = await makePrison();
  await expect(allowRoots(prison.root, [prison.root]).directory(prison.outside)).rejects.toMatchObject({
    code: "forbidden_path",
  });
  await expect(prison.jail.read(prison.outside)).rejects.toMatchObject({ code: "forbidden_path" });
});

test("a link that replaces an allowed root later does not widen it", async () => {
  using prison = await makePrison();
  const roots = allowRoots(prison.root, [prison.root]);
  await roots.directory(prison.root);
  renameSync(prison.root, `${prison.root}-moved`);
  symlinkSync(prison.outside, prison.root);
  await expect(roots.directory(prison.root)).rejects.toMatchObject({ code: "forbidden_path" });
});

test("4: an encoded path is a plain name, and no such file exists", async () => {
  using prison = await makePrison();
  await expect(prison.jail.read("%2e%2e/app-secret/x")).rejects.toMatchObject({ code: "not_found" });
});

test.each([
  ["5: a NUL byte", "a\0.ts"],
  ["6: five thousand characters", "a/".repeat(2500)],
  ["6: a name of three hundred characters", "n".repeat(300)],
])("%s is not accepted as a path", async (_case, path) => {
  using prison = await makePrison();
  const refused = { code: "invalid_input", reason: "invalid_path" };
  await expect(prison.jail.read(path)).rejects.toMatchObject(refused);
  await expect(prison.jail.write(path, "")).rejects.toMatchObject(refused);
  await expect(allowRoots(prison.root).directory(path)).rejects.toMatchObject({ code: "invalid_input" });
});

test("7: a link to a file outside is not read, and a write replaces the link", async () => {
  using prison = await makePrison();
  symlinkSync(join(prison.outside, "x"), join(prison.root, "link"));
  await expect(prison.jail.read("link")).rejects.toMatchObject({ code: "forbidden_path" });
  await prison.jail.write("link", "new");
  expect(readFileSync(join(prison.outside, "x"), "utf8")).toBe(SECRET);
  expect((await prison.jail.read("link")).toString()).toBe("new");
});

test("8: nothing is read or written through a link to a directory outside", async () => {
  using prison = await makePrison();
  symlinkSync(prison.outside, join(prison.root, "linked"));
  await expect(prison.jail.read("linked/x")).rejects.toMatchObject({ code: "forbidden_path" });
  await expect(prison.jail.write("linked/x", "overwritten")).rejects.toMatchObject({
    code: "forbidden_path",
  });
  await expect(prison.jail.write("linked/new/y", "y")).rejects.toMatchObject({ code: "forbidden_path" });
  expect(readFileSync(join(prison.outside, "x"), "utf8")).toBe(SECRET);
});

test("9: a loop of links is refused", async () => {
  using prison = await makePrison();
  symlinkSync("b", join(prison.root, "a"));
  symlinkSync("a", join(prison.root, "b"));
  await expect(prison.jail.read("a")).rejects.toMatchObject({ code: "forbidden_path" });
});

test("10: a directory swapped for a link during use never reads or writes outside", async () => {
  using prison = await makePrison();
  writeFileSync(join(prison.root, "sub", "x"), "inside");
  mkdirSync(join(prison.root, "swap"));
  writeFileSync(join(prison.root, "swap", "x"), "inside");
  symlinkSync(prison.outside, join(prison.root, "swap-link"));
  const swapper = spawn(
    process.execPath,
    [
      "-e",
      `const { renameSync: mv } = require("node:fs"); process.stdout.write("on");
       for (;;) { try { mv("swap", "held"); mv("swap-link", "swap"); mv("swap", "swap-link"); mv("held", "swap"); } catch {} }`,
    ],
    { cwd: prison.root, stdio: ["ignore", "pipe", "ignore"] },
  );
  await new Promise((ready) => swapper.stdout.once("data", ready));
  const seen = new Set<string>();
  for (let round = 0; round < 400; round++) {
    seen.add(await prison.jail.read("swap/x").then(String, () => "refused"));
    await prison.jail.write("swap/written", "w").catch(() => {});
  }
  swapper.kill("SIGKILL");
  await new Promise((gone) => swapper.once("exit", gone));
  expect([...seen].filter((text) => text !== "inside" && text !== "refused")).toEqual([]);
  await expect((await openJail(prison.outside)).stat("written")).resolves.toBeUndefined();
});

test("11: a hard link to a file outside is refused in strict mode", async () => {
  using prison = await makePrison();
  linkSync(join(prison.outside, "x"), join(prison.root, "hard"));
  const strict = await openJail(prison.root, { strict: true });
  await expect(strict.read("hard")).rejects.toMatchObject({ code: "forbidden_path" });
});

test("12: FIFOs, sockets and devices are refused at once", async () => {
  using prison = await makePrison();
  execFileSync("mkfifo", [join(prison.root, "fifo")]);
  const server = createServer().listen(join(prison.root, "socket"));
  await new Promise((listening) => server.once("listening", listening));
  await expect(prison.jail.read("fifo")).rejects.toMatchObject({ code: "forbidden_path" });
  await expect(prison.jail.stat("fifo")).rejects.toMatchObject({ code: "forbidden_path" });
  await expect(prison.jail.read("socket")).rejects.toMatchObject({ code: "forbidden_path" });
  await new Promise((closed) => server.close(closed));
  symlinkSync("/dev/zero", join(prison.root, "zero"));
  await expect(prison.jail.read("zero")).rejects.toMatchObject({ code: "forbidden_path" });
});

test("13: /proc is not accepted as a root, and a link to it is refused", async () => {
  using prison = await makePrison();
  await expect(openJail("/proc/self")).rejects.toMatchObject({ code: "forbidden_path" });
  await expect(allowRoots(prison.root).directory("/proc/self")).rejects.toMatchObject({
    code: "forbidden_path",
  });
  symlinkSync("/proc/self/environ", join(prison.root, "environ"));
  await expect(prison.jail.read("environ")).rejects.toMatchObject({ code: "forbidden_path" });
});

test("14: two names that differ only in Unicode form stay two files", async () => {
  using prison = await makePrison();
  await prison.jail.write("\u00c9", "composed");
  await prison.jail.write("E\u0301", "decomposed");
  expect(
    await Promise.all(["\u00c9", "E\u0301"].map(async (name) => String(await prison.jail.read(name)))),
  ).toEqual(["composed", "decomposed"]);
});

test("15: unusual names are plain names", async () => {
  using prison = await makePrison();
  for (const name of ["a\nb", "\u001b[2J", "\u202etxt", "$(id)", "--help", "-", "..foo", "a\\b", "sub/-x"]) {
    await prison.jail.write(name, name);
    expect(String(await prison.jail.read(name))).toBe(name);
  }
});

test.each(["/", homedir(), join(homedir(), "..")])("16: %s is too wide for a project", (path) => {
  expect(() => refuseTooWide(path, "--force")).toThrow(/or insist with --force\.$/);
});

test("16: a directory in the home directory is accepted", () => {
  expect(() => refuseTooWide(join(homedir(), "project"), "--force")).not.toThrow();
});

test("17: another project's directory is refused if roots are limited", async () => {
  using mine = await makePrison();
  using other = await makePrison();
  const roots = allowRoots(mine.root, [mine.root, join(mine.root, "missing")]);
  await expect(roots.directory(other.root)).rejects.toMatchObject({ code: "forbidden_path" });
  expect(await roots.directory("sub")).toBe(join(mine.root, "sub"));
});

test("links that stay inside are followed, directories are created, and sizes are limited", async () => {
  using prison = await makePrison();
  symlinkSync("sub", join(prison.root, "alias"));
  await prison.jail.write("alias/deep/er/file", "text", 0o600);
  expect(String(await prison.jail.read("sub/deep/er/file"))).toBe("text");
  expect((await prison.jail.stat("sub/deep"))?.isDirectory()).toBe(true);
  expect(await prison.jail.stat("sub/none")).toBeUndefined();
  await expect(prison.jail.read("inside.txt", { maxBytes: 3 })).rejects.toMatchObject({
    reason: "too_large",
  });
  await expect(prison.jail.read("sub")).rejects.toMatchObject({ reason: "not_a_file" });
});
