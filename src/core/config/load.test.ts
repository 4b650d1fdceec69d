import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { Config } from "./config.ts";
import { loadConfig } from "./load.ts";

function makeFiles(files: { own?: string; project?: string }) {
  const dir = tempDir();
  const root = join(dir.path, "project");
  const own = join(dir.path, "own");
  mkdirSync(root);
  mkdirSync(own);
  symlinkSync(own, join(root, "linked"));
  if (files.own !== undefined) writeFileSync(join(own, "config.toml"), files.own);
  if (files.project !== undefined) writeFileSync(join(root, "contextful.toml"), files.project);
  const load = () => loadConfig({ root, env: { CONTEXTFUL_CONFIG: own } });
  return { load, root, own: join(own, "config.toml"), [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

test("without any file every key has its default", async () => {
  using files = makeFiles({});
  expect(await files.load()).toEqual(Config.parse({}));
});

test("the project's keys win over the user's, key by key, and arrays are replaced", async () => {
  using files = makeFiles({
    own: '[retrieval]\nfinal_limit = 5\nhybrid_alpha = 0.2\n[connectors.filesystem.docs]\nroot = "a"\ninclude = ["**/*.rst", "**/*.md"]',
    project:
      '[retrieval]\nfinal_limit = 9\n[connectors.filesystem.docs]\nroot = "docs"\ninclude = ["*.adoc"]',
  });
  const config = await files.load();
  expect([config.retrieval.final_limit, config.retrieval.hybrid_alpha]).toEqual([9, 0.2]);
  expect(config.connectors.filesystem["docs"]).toMatchObject({ root: "docs", include: ["*.adoc"] });
});

test("a deeply nested file is an error that names the file, not a crash", async () => {
  using files = makeFiles({ project: `a = ${"[".repeat(20_000)}` });
  await expect(files.load()).rejects.toMatchObject({ code: "invalid_input" });
});

test.each([
  [
    "an unknown key",
    "[retrieval]\nfinal_limt = 3",
    /contextful\.toml: unknown key retrieval\.final_limt\. Did you mean final_limit\?/,
  ],
  ["an unknown section", "[retreival]", /unknown key retreival\. Did you mean retrieval\?/],
  [
    "a key that is similar to no other",
    "[server]\nzzzzzzzz = 1",
    /unknown key server\.zzzzzzzz\. Known here: bind, sync_every/,
  ],
  [
    "an unknown connector key",
    '[connectors.git.x]\nurl = "https://x.example/u"\nbrunch = "b"',
    /connectors\.git\.x\.brunch\. Did you mean branch\?/,
  ],
  ["a wrong type", '[retrieval]\nfinal_limit = "many"', /contextful\.toml: retrieval\.final_limit: .*number/],
  ["a branch with two dots", '[memory]\nbranch = "a..b"', /contextful\.toml: memory\.branch: not a name/],
  ["a branch like an option", '[memory]\nbranch = "-x"', /contextful\.toml: memory\.branch: not a name/],
  ["a branch without a name", '[memory]\nbranch = ""', /contextful\.toml: memory\.branch: not a name/],
  ["a missing key", "[connectors.git.x]", /contextful\.toml: connectors\.git\.x\.url/],
  [
    "a bad connector name",
    '[connectors.git."a b"]\nurl = "https://x.example/u"',
    /contextful\.toml: connectors\.git\.a b: a connector's name/,
  ],
  ["a prototype key", "[__proto__]\nx = 1", /unknown key __proto__/],
  ["text that is not TOML", "= = =", /^contextful\.toml is not TOML \(line 1, column \d+\): [^\n]+$/],
])("%s is named with file and key", async (_case, project, message) => {
  using files = makeFiles({ project });
  await expect(files.load()).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(message),
  });
});

test("a project's file is not read if it is a link out of the project", async () => {
  using files = makeFiles({ own: "-----BEGIN PRIVATE KEY-----", project: "" });
  renameSync(files.own, `${files.own}.pem`);
  symlinkSync(`${files.own}.pem`, join(files.root, "linked.toml"));
  renameSync(join(files.root, "linked.toml"), join(files.root, "contextful.toml"));
  await expect(files.load()).rejects.toThrow("contextful.toml must be a file of the project");
});

test("a mistake in the user's own file names that file", async () => {
  using files = makeFiles({ own: "[server]\nbin = 1" });
  await expect(files.load()).rejects.toThrow(`${files.own}: unknown key server.bin. Did you mean bind?`);
});

test.each([
  ["connectors.command.x", '[connectors.command.x]\ncommand = ["sh"]'],
  ["directories.command", '[directories.command.x]\ncommand = ["sh"]'],
  ["connectors.web.x.allow_private_addresses", "[connectors.web.x]\nallow_private_addresses = true"],
  ["llm", '[llm]\nbase_url = "https://x.example"\nmodel = "m"'],
  ["team", '[team]\nurl = "postgres://db.example/contextful"'],
  ["embedding.url", '[embedding]\nurl = "https://x.example"'],
  ["embedding.api_key_env", '[embedding]\napi_key_env = "AWS_SECRET_ACCESS_KEY"'],
  ["embedding.provider", '[embedding]\nprovider = "openai"'],
  ["connectors.filesystem.x.root", '[connectors.filesystem.x]\nroot = "../other"'],
  ["connectors.filesystem.x.root", '[connectors.filesystem.x]\nroot = "/home"'],
  ["connectors.s3.x.endpoint_url", '[connectors.s3.x]\nbucket = "b"\nendpoint_url = "https://x.example"'],
  ["connectors.filesystem.x.root", '[connectors.filesystem.x]\nroot = "linked"'],
  ["connectors.git.x.url", '[connectors.git.x]\nurl = "file:///srv/other"'],
  ["connectors.git.x.url", '[connectors.git.x]\nurl = "../other"'],
  ["server.bind", '[server]\nbind = "0.0.0.0:7331"'],
])("a project's file cannot set %s, the user's own can", async (key, toml) => {
  using hostile = makeFiles({ project: toml });
  await expect(hostile.load()).rejects.toThrow(
    new RegExp(`${key.split(".")[0]}.*belongs into your own config\\.toml at ${hostile.own}`),
  );
  using trusted = makeFiles({ own: toml });
  await expect(trusted.load()).resolves.toBeDefined();
});
