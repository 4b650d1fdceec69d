import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allowRoots } from "../../src/core/files/allowed-roots.ts";
import { tempDir } from "../support/temp-dir.ts";
import { SURFACES, write } from "./directory-contexts-surfaces.ts";

const GOLDEN = "tests/contracts/golden/directory-contexts";
const HEAD = `version: 1
last_updated: 2026-02-13T10:00:00Z
fingerprint: a3f8b2c1
scope: src/core
summary: Core.
maintenance: Keep it true.
`;
const missing = (scope: string) =>
  `No .context.yaml found at scope "${scope}". This scope may be below the min_tokens threshold; use list_contexts to see eligible scopes.`;
const corrupt = (scope: string) => `Invalid or corrupt .context.yaml at scope "${scope}"`;
const unsupported = (version: string) =>
  `Unsupported schema version ${version} (this tool supports version 1). Upgrade dotcontext to read this file.`;
const TRAVERSAL = "Invalid scope: path traversal detected";

describe.each(SURFACES)("directory-contexts over %s", (_surface, caller) => {
  describe("query_context finds by scope", () => {
    test.each([
      { clause: "backslashes are slashes and the scope is echoed as sent", scope: "src\\core", found: true },
      { clause: "a trailing slash is ignored", scope: "src/core/", found: true },
      { clause: "double slashes are ignored", scope: "src//core", found: true },
      { clause: "a name that begins with two dots is a name", scope: "..foo", found: true },
      { clause: "the empty scope is the root", scope: "", found: true },
      { clause: "a dot is the root", scope: ".", found: true },
      { clause: "the way out and back is the root", scope: "src/../", found: true },
      { clause: "parents are refused", scope: "../../etc", error: TRAVERSAL },
      { clause: "parents by backslash are refused", scope: "..\\..\\etc", error: TRAVERSAL },
      { clause: "parents behind a name are refused", scope: "src/../../x", error: TRAVERSAL },
      { clause: "absolute paths outside are refused", scope: "/etc", error: TRAVERSAL },
      { clause: "a link that leaves the root is refused", scope: "leaves", error: TRAVERSAL },
      { clause: "a path behind such a link is refused", scope: "leaves/none", error: TRAVERSAL },
      { clause: "a context file that is a link out is refused", scope: "linked-file", error: TRAVERSAL },
      { clause: "a file is not a scope", scope: "src/core/a.ts", error: missing("src/core/a.ts") },
      {
        clause: "a directory that does not exist is missing",
        scope: "src/unknown",
        error: missing("src/unknown"),
      },
      { clause: "a name with a NUL byte is missing", scope: "a\0b", error: missing("a\0b") },
      {
        clause: "a name that is too long is missing",
        scope: "x".repeat(5000),
        error: missing("x".repeat(5000)),
      },
      { clause: "a drive letter is a name here", scope: "C:\\x", error: missing("C:\\x") },
    ])("$clause", async ({ scope, error }) => {
      using dir = tempDir();
      const root = join(dir.path, "project");
      write(dir.path, { "outside/.context.yaml": HEAD, "project/src/core/a.ts": "" });
      for (const at of ["", "src/core/", "..foo/"]) write(root, { [`${at}.context.yaml`]: HEAD });
      symlinkSync(join(dir.path, "outside"), join(root, "leaves"));
      mkdirSync(join(root, "linked-file"));
      symlinkSync(join(dir.path, "outside/.context.yaml"), join(root, "linked-file/.context.yaml"));
      const { answer, isError } = await caller(root)("query_context", { scope });
      expect({ answer, isError }).toEqual(
        error
          ? { answer: { found: false, scope, error }, isError: true }
          : {
              answer: {
                found: true,
                scope,
                context: {
                  version: 1,
                  last_updated: "2026-02-13T10:00:00Z",
                  fingerprint: "a3f8b2c1",
                  scope: "src/core",
                  summary: "Core.",
                  maintenance: "Keep it true.",
                },
              },
              isError: false,
            },
      );
    });

    test("an absolute scope inside the root is accepted", async () => {
      using dir = tempDir();
      write(dir.path, { "src/.context.yaml": HEAD });
      const { answer } = await caller(dir.path)("query_context", { scope: join(dir.path, "src") });
      expect(answer).toMatchObject({ found: true, scope: join(dir.path, "src") });
    });
  });

  describe("query_context says what is wrong with a file", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"]
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(",")}]`)
      .join("\n")}\n`;
    test.each([
      { file: "version 2", text: HEAD.replace("version: 1", "version: 2"), error: unsupported("2") },
      { file: "version 1.5", text: "version: 1.5\n", error: unsupported("1.5") },
      {
        file: "version 99 with everything else broken",
        text: "version: 99\nfiles: no\n",
        error: unsupported("99"),
      },
      { file: "version 2 in what is not YAML", text: 'version: 2\na: "b\n', error: corrupt(".") },
      { file: "version as a string", text: HEAD.replace("version: 1", 'version: "2"'), error: corrupt(".") },
      { file: "version 0", text: HEAD.replace("version: 1", "version: 0"), error: corrupt(".") },
      { file: "a negative version", text: HEAD.replace("version: 1", "version: -1"), error: corrupt(".") },
      { file: "version null", text: HEAD.replace("version: 1", "version: null"), error: corrupt(".") },
      { file: "nothing", text: "", error: corrupt(".") },
      { file: "a list", text: "- a\n- b\n", error: corrupt(".") },
      { file: "two documents", text: `${HEAD}---\n${HEAD}`, error: corrupt(".") },
      { file: "a key twice", text: `${HEAD}summary: again\n`, error: corrupt(".") },
      { file: "an unknown key", text: `${HEAD}extra: 1\n`, error: corrupt(".") },
      {
        file: "an unquoted number as fingerprint",
        text: HEAD.replace("a3f8b2c1", "12345678"),
        error: corrupt("."),
      },
      { file: "an alias bomb", text: `${HEAD}${bomb}`, error: corrupt(".") },
      { file: "20,000 levels of lists", text: `${HEAD}todos: ${"[".repeat(20_000)}`, error: corrupt(".") },
      {
        file: "20,000 levels of dashes",
        text: `${HEAD}todos:\n  ${"- ".repeat(20_000)}x`,
        error: corrupt("."),
      },
      { file: "50 MB", text: Buffer.alloc(50_000_000, "x"), error: corrupt(".") },
      { file: "binary", text: Buffer.from([0, 255, 254, 0, 1, 2]), error: corrupt(".") },
      { file: "a JavaScript tag", text: `${HEAD}todos: !!js/function "x"\n`, error: corrupt(".") },
    ])("$file", async ({ text, error }) => {
      using dir = tempDir();
      write(dir.path, { ".context.yaml": text });
      const call = caller(dir.path);
      expect(await call("query_context", { scope: "." })).toEqual({
        answer: { found: false, scope: ".", error },
        isError: true,
      });
      expect(await call("check_freshness", { scope: "." })).toEqual({
        answer: { scope: ".", state: "missing", error },
        isError: true,
      });
    });

    test("a directory in the file's place is corrupt", async () => {
      using dir = tempDir();
      mkdirSync(join(dir.path, ".context.yaml"));
      expect(await caller(dir.path)("query_context", { scope: "." })).toMatchObject({
        answer: { error: corrupt(".") },
      });
    });
  });

  describe("query_context filters", () => {
    const text = `${HEAD}decisions: [{what: a, why: b}]
derived_fields: [summary]
evidence: {collected_at: now}
files: [{name: a.ts, purpose: x, surprise: 1}]
`;
    const metadata = {
      version: 1,
      scope: "src/core",
      fingerprint: "a3f8b2c1",
      last_updated: "2026-02-13T10:00:00Z",
    };
    test.each([
      { filter: ["summary", "decisions"], extra: { summary: "Core.", decisions: [{ what: "a", why: "b" }] } },
      { filter: ["todos", "summary"], extra: { summary: "Core." } },
      { filter: ["bogus"], extra: {} },
      { filter: ["evidence", "derived_fields", "version"], extra: {} },
      { filter: ["__proto__", "constructor"], extra: {} },
    ])("$filter", async ({ filter, extra }) => {
      using dir = tempDir();
      write(dir.path, { ".context.yaml": text });
      const { answer } = await caller(dir.path)("query_context", { scope: ".", filter });
      expect(JSON.stringify(answer)).toBe(
        JSON.stringify({ found: true, scope: ".", context: { ...metadata, ...extra } }),
      );
    });

    test("an empty filter gives everything in schema order, without keys the schema does not know", async () => {
      using dir = tempDir();
      write(dir.path, { ".context.yaml": text });
      const { answer } = await caller(dir.path)("query_context", { scope: ".", filter: [] });
      expect(JSON.stringify(answer)).toBe(
        JSON.stringify({
          found: true,
          scope: ".",
          context: {
            version: 1,
            last_updated: "2026-02-13T10:00:00Z",
            fingerprint: "a3f8b2c1",
            scope: "src/core",
            summary: "Core.",
            files: [{ name: "a.ts", purpose: "x" }],
            maintenance: "Keep it true.",
            decisions: [{ what: "a", why: "b" }],
            derived_fields: ["summary"],
            evidence: { collected_at: "now" },
          },
        }),
      );
    });
  });

  describe("check_freshness", () => {
    test("equal fingerprints are fresh, different ones stale, and stale is not an error", async () => {
      using dir = tempDir();
      write(dir.path, { "a.ts": "twelve bytes", ".context.yaml": HEAD.replace("a3f8b2c1", "4d0f2ecf") });
      utimesSync(join(dir.path, "a.ts"), 1_700_000_000, 1_700_000_000);
      const call = caller(dir.path);
      const answer = {
        scope: ".",
        state: "fresh",
        fingerprint: { stored: "4d0f2ecf", computed: "4d0f2ecf" },
        last_updated: "2026-02-13T10:00:00Z",
      };
      expect(await call("check_freshness", { scope: "." })).toEqual({ answer, isError: false });
      utimesSync(join(dir.path, "a.ts"), 1_700_000_001, 1_700_000_001);
      expect(await call("check_freshness", { scope: "." })).toEqual({
        answer: {
          ...answer,
          state: "stale",
          fingerprint: { stored: "4d0f2ecf", computed: expect.stringMatching(/^[0-9a-f]{8}$/) },
        },
        isError: false,
      });
    });

    test.each([
      { scope: "src/unknown", error: missing("src/unknown") },
      { scope: "../..", error: TRAVERSAL },
    ])("$scope is an error", async ({ scope, error }) => {
      using dir = tempDir();
      expect(await caller(dir.path)("check_freshness", { scope })).toEqual({
        answer: { scope, state: "missing", error },
        isError: true,
      });
    });
  });

  describe("list_contexts", () => {
    const big = "x".repeat(16_381);

    test("every directory above the threshold and its ancestors, in byte order", async () => {
      using dir = tempDir();
      for (const scope of ["B", "_a", "a", "src-x", "src/core", "src2"])
        write(dir.path, { [`${scope}/x.ts`]: big });
      write(dir.path, {
        "small/x.ts": big.slice(1),
        "images/logo.png": big,
        "node_modules/m/x.js": big,
        ".hid/x.ts": big,
      });
      const { answer, isError } = await caller(dir.path)("list_contexts", {});
      expect({ answer, isError }).toEqual({
        answer: {
          root: dir.path,
          total_directories: 8,
          skipped_directories: 1,
          tracked: 0,
          entries: [".", "B", "_a", "a", "src", "src-x", "src/core", "src2"].map((scope) => ({
            scope,
            state: "missing",
            has_context: false,
          })),
        },
        isError: false,
      });
    });

    test("fresh, stale, newer, corrupt, linked out and absent contexts side by side", async () => {
      using dir = tempDir();
      const root = join(dir.path, "project");
      const scopes = ["fresh", "stale", "newer", "corrupt", "linked", "huge"];
      for (const scope of scopes) write(root, { [`${scope}/x.ts`]: big });
      const call = caller(root);
      write(root, { "fresh/.context.yaml": HEAD });
      const { answer } = await call("check_freshness", { scope: "fresh" });
      const computed = /"computed":"(\w+)"/.exec(JSON.stringify(answer))?.[1] ?? "";
      write(root, {
        "fresh/.context.yaml": HEAD.replace("a3f8b2c1", `"${computed}"`),
        "stale/.context.yaml": HEAD,
        "newer/.context.yaml": HEAD.replace("version: 1", "version: 2"),
        "corrupt/.context.yaml": "x: [",
        "huge/.context.yaml": Buffer.alloc(50_000_000, "x"),
      });
      write(dir.path, { "outside.yaml": HEAD });
      symlinkSync(join(dir.path, "outside.yaml"), join(root, "linked/.context.yaml"));
      const absent = { state: "missing", has_context: false };
      const read = { has_context: true, last_updated: "2026-02-13T10:00:00Z", summary: "Core." };
      expect((await call("list_contexts", {})).answer).toEqual({
        root,
        total_directories: 7,
        skipped_directories: 0,
        tracked: 2,
        entries: [
          { scope: ".", ...absent },
          { scope: "corrupt", ...absent },
          { scope: "fresh", state: "fresh", ...read },
          { scope: "huge", ...absent },
          { scope: "linked", ...absent },
          { scope: "newer", ...absent },
          { scope: "stale", state: "stale", ...read },
        ],
      });
    });

    test("a project without source files has its root", async () => {
      using dir = tempDir();
      expect((await caller(dir.path)("list_contexts", {})).answer).toMatchObject({
        total_directories: 1,
        entries: [{ scope: ".", state: "missing", has_context: false }],
      });
    });

    test("a root that does not exist is a failure", async () => {
      using dir = tempDir();
      expect(await caller(dir.path)("list_contexts", { path: "/nonexistent/path" })).toEqual({
        answer: {
          root: "/nonexistent/path",
          total_directories: 0,
          skipped_directories: 0,
          tracked: 0,
          entries: [],
          error: 'Failed to scan project at "/nonexistent/path"',
        },
        isError: true,
      });
    });

    // The super-user reads everything, so only others can see this.
    test.skipIf(process.getuid?.() === 0)(
      "a directory that cannot be read does not spoil the others",
      async () => {
        using dir = tempDir();
        write(dir.path, { "a/x.ts": big, "b/x.ts": big, ".context.config.yaml": "min_tokens: 0\n" });
        chmodSync(join(dir.path, "a"), 0o000);
        const { answer } = await caller(dir.path)("list_contexts", {});
        chmodSync(join(dir.path, "a"), 0o755);
        expect(answer).toMatchObject({
          entries: expect.arrayContaining([expect.objectContaining({ scope: "b" })]),
        });
      },
    );

    test("settings take effect without a provider, and wrong ones are reported", async () => {
      using dir = tempDir();
      write(dir.path, { "src/x.ts": "x", ".context.config.yaml": "min_tokens: 0\n" });
      const call = caller(dir.path);
      expect((await call("list_contexts", {})).answer).toMatchObject({ total_directories: 2 });
      write(dir.path, { ".context.config.yaml": "min_token: 0\n" });
      expect(await call("list_contexts", {})).toMatchObject({
        answer: {
          entries: [],
          error: expect.stringMatching(/^Invalid \.context\.config\.yaml: .*min_token/s),
        },
        isError: true,
      });
    });
  });

  describe("path", () => {
    test("another project is served, and one that is not allowed is refused in the tool's own shape", async () => {
      using dir = tempDir();
      write(dir.path, { "one/.context.yaml": HEAD, "two/.context.yaml": HEAD.replace("Core.", "Two.") });
      const [one, two] = [join(dir.path, "one"), join(dir.path, "two")];
      expect(
        (await caller(one)("query_context", { scope: ".", filter: ["summary"], path: two })).answer,
      ).toMatchObject({
        context: { summary: "Two." },
      });
      const narrow = caller(one, { roots: allowRoots(one, [one]) });
      expect(await narrow("query_context", { scope: ".", path: two })).toEqual({
        answer: { found: false, scope: ".", error: expect.stringContaining("--allow-root") },
        isError: true,
      });
      expect(await narrow("list_contexts", { path: two })).toMatchObject({
        answer: { entries: [], error: expect.stringContaining("--allow-root") },
        isError: true,
      });
    });
  });

  describe("the conformance files", () => {
    const cases = ["valid", "invalid"].flatMap((expected) =>
      readdirSync(join(GOLDEN, "conformance", expected))
        .filter((file) => file.endsWith(".yaml"))
        .map((file) => ({ expected, file })),
    );
    test.each(cases)("$file is $expected", async ({ expected, file }) => {
      using dir = tempDir();
      write(dir.path, { ".context.yaml": readFileSync(join(GOLDEN, "conformance", expected, file)) });
      expect(await caller(dir.path)("query_context", { scope: "." })).toMatchObject({
        answer: { found: expected === "valid" },
        isError: expected !== "valid",
      });
    });
  });
});
