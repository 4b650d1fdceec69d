import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tempDir } from "../support/temp-dir.ts";
import { cachesAt, GOLDEN, readTree, writeTree } from "./context-caches-cases.ts";

const error = (code: string, message: string) => JSON.stringify({ error: { code, message } });
const MISSING = error("cache_missing", "Cache does not exist");
const INVALID = error("cache_invalid", "Cache exists but is invalid");
const EMPTY_INSPECTION = '{"cache_version":"","document_count":0,"total_bytes":0,"valid":false}';

type Files = Readonly<Record<string, string | Uint8Array>>;
interface Built extends Disposable {
  readonly root: string;
  readonly caches: string;
  readonly call: ReturnType<typeof cachesAt>;
  resolve(query: string, budget: number): Promise<string>;
  build(files: Files, name?: string): Promise<string>;
}

/** A project with a cache `c` of these files. */
async function project(files: Files = { "hello.md": "Hello world" }): Promise<Built> {
  const dir = tempDir();
  const call = cachesAt(dir.path);
  const caches = join(dir.path, ".context-caches");
  const build = async (tree: Files, name = "c") => {
    rmSync(join(dir.path, "sources"), { recursive: true, force: true });
    writeTree(join(dir.path, "sources"), tree);
    return call("caches_build", {
      sources: join(dir.path, "sources"),
      cache: join(caches, name),
      force: true,
    });
  };
  mkdirSync(caches);
  await build(files);
  const resolve = (query: string, budget: number) => call("context.resolve", { cache: "c", query, budget });
  return { root: dir.path, caches, call, resolve, build, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

const Answer = z.object({
  documents: z.array(
    z.object({
      id: z.string(),
      score: z.number(),
      tokens: z.int(),
      why: z.object({ query_terms: z.array(z.string()), term_matches: z.int(), total_words: z.int() }),
    }),
  ),
  selection: z.object({ query: z.string(), tokens_used: z.int(), documents_excluded_by_budget: z.int() }),
});
const read = (text: string) => Answer.parse(JSON.parse(text));
const ids = (text: string) => read(text).documents.map(({ id }) => id);

describe("selection", () => {
  test("a document that does not fit is skipped and a later one is taken", async () => {
    using at = await project({ "a.md": "a", "b.md": "a bbbb", "c.md": "c" });
    const answer = read(await at.resolve("a", 2));
    expect(answer.documents.map(({ id }) => id)).toEqual(["a.md", "c.md"]);
    expect(answer.selection).toMatchObject({ tokens_used: 2, documents_excluded_by_budget: 1 });
  });

  test.each(["", "  \t "])("the query %j scores everything 0.0 and is kept as typed", async (query) => {
    using at = await project({ "b.md": "b", "a.md": "a" });
    const text = await at.resolve(query, 100);
    expect(ids(text)).toEqual(["a.md", "b.md"]);
    expect(read(text).selection.query).toBe(query);
    expect(text.match(/"score":0\.0/g)).toHaveLength(2);
  });

  test("punctuation belongs to its word", async () => {
    using at = await project({ "a.md": "The guide." });
    expect(read(await at.resolve("guide", 100)).documents[0]?.why.term_matches).toBe(0);
    expect(read(await at.resolve("guide.", 100)).documents[0]?.why.term_matches).toBe(1);
  });

  test("words are compared in lower case beyond ASCII", async () => {
    const unicode = readFileSync(join(GOLDEN, "compat/v0/documents/edge_cases/unicode.md"));
    using at = await project({ "unicode.md": unicode });
    const text = await at.resolve("CAFÉ", 100);
    expect(text).toContain('"score":0.09090909,"tokens":24,');
    expect(read(text).documents[0]?.why).toEqual({ query_terms: ["café"], term_matches: 1, total_words: 11 });
  });

  test("tokens are counted by bytes", async () => {
    using at = await project({ "emoji.md": "🚀🎉", "kanji.md": "日本" });
    expect(read(await at.resolve("", 100)).documents.map(({ tokens }) => tokens)).toEqual([2, 2]);
  });

  test("the next-line character separates words and a byte order mark does not", async () => {
    using at = await project({ "bom.md": "\uFEFFx y", "nel.md": "x\u0085y" });
    const [nel, bom] = read(await at.resolve("x", 100)).documents;
    expect([nel, bom].map((each) => [each?.id, each?.why.term_matches, each?.why.total_words])).toEqual([
      ["nel.md", 1, 2],
      ["bom.md", 0, 2],
    ]);
  });

  test("equal scores are ordered by the bytes of ids", async () => {
    using at = await project({ "\u{1F600}.md": "t one", "\uFF5E.md": "t two" });
    expect(ids(await at.resolve("t", 100))).toEqual(["\uFF5E.md", "\u{1F600}.md"]);
  });

  test("a repeated term counts a word once and is returned as typed", async () => {
    using at = await project({ "a.md": "go go stop" });
    const text = await at.resolve("go go", 100);
    expect(text).toContain('"score":0.6666667,');
    expect(read(text).documents[0]?.why.query_terms).toEqual(["go", "go"]);
  });
});

describe("building", () => {
  test("two files with the same content are refused by name and leave nothing", async () => {
    using at = await project();
    expect(await at.build({ "a.md": "same", "sub/b.md": "same" }, "new")).toBe(
      error(
        "internal_error",
        "a.md and sub/b.md have the same content. A cache holds each content once: leave one of them out.",
      ),
    );
    expect(await at.call("context.list_caches", {})).toBe('{"caches":[{"path":"c","has_manifest":true}]}');
  });

  test("two files with one id after lower-casing are refused by name", async () => {
    using at = await project();
    expect(await at.build({ "Docs/A.md": "1", "docs/a.md": "2" }, "new")).toBe(
      error("cache_invalid", "Docs/A.md and docs/a.md have the same id (docs/a.md). Rename one of them."),
    );
  });

  test("only the extension md is taken, hidden files and directories included", async () => {
    using at = await project({
      "README.MD": "1",
      ".md": "2",
      "x.markdown": "3",
      ".hidden.md": "4",
      "sub/.x/Y.md": "5",
      "dir.md/z.txt": "6",
    });
    expect(ids(await at.resolve("", 100))).toEqual([".hidden.md", "sub/.x/y.md"]);
    const documents = Object.entries(readTree(join(at.caches, "c"))).filter(([path]) => /\/ef2d/.test(path));
    expect(documents.map(([, text]) => text)).toEqual([
      '{"id":"sub/.x/y.md","version":"sha256:ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d","source":"sub/.x/Y.md","content":"5","metadata":{}}',
    ]);
  });

  test("bytes that are not UTF-8 fail the build and leave nothing; a byte order mark is kept", async () => {
    using at = await project();
    expect(await at.build({ "bad.md": Buffer.from([0x61, 0xff]) }, "new")).toBe(
      error("internal_error", "bad.md is not valid UTF-8. Convert it or leave it out."),
    );
    expect(await at.call("context.inspect_cache", { cache: "new" })).toBe(MISSING);
    await at.build({ "bom.md": "\uFEFFx" });
    expect(await at.resolve("", 10)).toContain('"content":"\uFEFFx"');
  });

  test("line ends are part of a version", async () => {
    using at = await project({ "crlf.md": "line\r\n", "lf.md": "line\n" });
    const versions = [...(await at.resolve("line", 10)).matchAll(/sha256:([0-9a-f]{8})/g)].map(
      ([, hex]) => hex,
    );
    expect(versions).toEqual(["893e89e6", "c73b73af"]);
  });

  test("a forced build that fails leaves the old cache whole", async () => {
    using at = await project({ "a.md": "old" });
    const before = readTree(at.caches);
    await at.build({ "bad.md": Buffer.from([0xff]) });
    expect(readTree(at.caches)).toEqual(before);
  });

  test("a file that cannot be read is an error that names it", async () => {
    using at = await project();
    writeTree(join(at.root, "broken"), { "a.md": "a" });
    symlinkSync("nowhere", join(at.root, "broken", "gone.md"));
    const input = { sources: join(at.root, "broken"), cache: join(at.caches, "new") };
    expect(await at.call("caches_build", input)).toBe(error("io_error", "Cannot read gone.md (ENOENT)."));
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a directory that may not be read is an error that names it",
    async () => {
      using at = await project();
      mkdirSync(join(at.root, "sources", "locked"), { mode: 0o000 });
      const input = { sources: join(at.root, "sources"), cache: join(at.caches, "new") };
      expect(await at.call("caches_build", input)).toBe(error("io_error", "Cannot read locked (EACCES)."));
      chmodSync(join(at.root, "sources", "locked"), 0o700);
    },
  );

  test("linked files are read and linked directories are not entered", async () => {
    using at = await project();
    writeTree(at.root, { "elsewhere/linked.md": "linked", "more/own.md": "own" });
    symlinkSync(join(at.root, "elsewhere", "linked.md"), join(at.root, "more", "link.md"));
    symlinkSync(join(at.root, "elsewhere"), join(at.root, "more", "directory.md"));
    await at.call("caches_build", {
      sources: join(at.root, "more"),
      cache: join(at.caches, "c"),
      force: true,
    });
    expect(ids(await at.resolve("", 100))).toEqual(["link.md", "own.md"]);
  });

  test("a directory that holds anything but a cache is never replaced", async () => {
    using at = await project();
    writeTree(join(at.root, "mine"), { "manifest.json": "{}", "notes.txt": "dear" });
    const input = { sources: join(at.root, "sources"), cache: join(at.root, "mine") };
    expect(await at.call("caches_build", input)).toContain("mine exists. Use --force");
    expect(await at.call("caches_build", { ...input, force: true })).toContain(
      "is not only a cache (notes.txt)",
    );
    expect(readTree(join(at.root, "mine"))).toEqual({ "manifest.json": "{}", "notes.txt": "dear" });
  });

  test("code and text are taken if the patterns match them", async () => {
    using at = await project();
    writeTree(join(at.root, "all"), {
      "a.md": "1",
      "src/b.ts": "2",
      "src/c.js": "3",
      "node_modules/d.ts": "4",
    });
    const include = "**/*.{md,ts},!node_modules/**";
    await at.call("caches_build", {
      sources: join(at.root, "all"),
      cache: join(at.caches, "c"),
      force: true,
      include,
    });
    expect(ids(await at.resolve("", 100))).toEqual(["a.md", "src/b.ts"]);
  });
});

describe("wrong input", () => {
  test("patterns work as people type them, and a pattern without a match never replaces a cache", async () => {
    using at = await project();
    writeTree(join(at.root, "all"), { "src/a.ts": "1", "src/b.md": "2", "c.md": "3" });
    const build = (include: string) =>
      at.call("caches_build", {
        sources: join(at.root, "all"),
        cache: join(at.caches, "c"),
        force: true,
        include,
      });
    const taken = async (include: string) => {
      await build(include);
      return ids(await at.resolve("", 100));
    };
    expect(await taken("./src/*.ts")).toEqual(["src/a.ts"]);
    expect(await taken("src")).toEqual(["src/a.ts", "src/b.md"]);
    expect(await taken("./src/,c.md")).toEqual(["c.md", "src/a.ts", "src/b.md"]);
    expect(await taken(".,!src")).toEqual(["c.md"]);
    expect(await build("nope/**")).toContain("matches nope/**.");
    expect(ids(await at.resolve("", 100))).toEqual(["c.md"]);
  });

  test.each(["sources", "cache"])("an empty name for %s is refused", async (name) => {
    using at = await project();
    const input = { sources: join(at.root, "sources"), cache: join(at.caches, "new"), [name]: "" };
    expect(await at.call("caches_build", input)).toContain(`${name} must not be empty`);
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a cache that may not be read is an I/O error; people are told the file",
    async () => {
      using at = await project();
      chmodSync(join(at.caches, "c"), 0o000);
      const ask = { cache: "c", query: "", budget: 1 };
      const bare = error("io_error", "I/O error occurred");
      const named = error("io_error", "I/O error occurred: c: cannot read manifest.json (EACCES).");
      expect(await at.call("context.resolve", ask)).toBe(bare);
      expect(await at.call("context.inspect_cache", { cache: "c" })).toBe(bare);
      expect(await at.call("caches resolve", ask)).toBe(named);
      expect(await at.call("caches inspect", { cache: "c" })).toBe(named);
      expect(await at.call("caches_verify", { cache: "c" })).toBe(named);
      chmodSync(join(at.caches, "c"), 0o700);
    },
  );

  test.each([-1, 1.5, "10", null, undefined, 2 ** 53, Number.NaN])(
    "a budget of %j is told before anything else",
    async (budget) => {
      using at = await project();
      expect(await at.call("context.resolve", { cache: "nope", query: 7, budget })).toBe(
        error("invalid_budget", "Budget is invalid"),
      );
    },
  );

  test("a query that is not a string is an error even if the cache does not exist", async () => {
    using at = await project();
    expect(await at.call("context.resolve", { cache: "nope", query: 7, budget: 1 })).toBe(
      error("invalid_query", "Query is invalid"),
    );
  });

  test("names that leave the cache root are missing caches, and the message has no path", async () => {
    using at = await project();
    writeTree(join(at.root, "outside"), { "manifest.json": "{}" });
    symlinkSync(join(at.root, "outside"), join(at.caches, "escape"));
    const names = ["../outside", "/etc", "\\x", "escape", "my..cache", "", ".", "c\0", "x".repeat(5000)];
    const answers = await Promise.all(
      names.flatMap((cache) => [
        at.call("context.resolve", { cache, query: "", budget: 1 }),
        at.call("context.inspect_cache", { cache }),
      ]),
    );
    expect(answers).toEqual(names.flatMap(() => [MISSING, MISSING]));
  });

  test("a link that stays inside the cache root is followed, and so is a nested name", async () => {
    using at = await project();
    symlinkSync(join(at.caches, "c"), join(at.caches, "alias"));
    await at.build({ "n.md": "nested" }, "group/n");
    const resolve = (cache: string) => at.call("context.resolve", { cache, query: "", budget: 10 });
    expect(ids(await resolve("alias"))).toEqual(["hello.md"]);
    expect(ids(await resolve("group/n"))).toEqual(["n.md"]);
  });
});

describe("damaged caches", () => {
  test("a directory without a manifest: resolve refuses, inspect says it is not valid", async () => {
    using at = await project();
    rmSync(join(at.caches, "c", "manifest.json"));
    expect(await at.resolve("", 1)).toBe(INVALID);
    expect(await at.call("context.inspect_cache", { cache: "c" })).toBe(EMPTY_INSPECTION);
  });

  test("a manifest that is not JSON: resolve refuses, inspect says it is not valid", async () => {
    using at = await project();
    writeFileSync(join(at.caches, "c", "manifest.json"), "not-json");
    expect(await at.resolve("", 1)).toBe(INVALID);
    expect(await at.call("context.inspect_cache", { cache: "c" })).toBe(EMPTY_INSPECTION);
  });

  test("a changed or deleted document is noticed, even after the cache has answered once", async () => {
    using at = await project({ "hello.md": "Hello world", "other.md": "Other words" });
    const file = join(at.caches, "c", "documents", "64ec88ca00b2.json");
    const good = readFileSync(file, "utf8");
    expect(ids(await at.resolve("", 10))).toEqual(["hello.md", "other.md"]);
    writeFileSync(file, good.replace("Hello", "Hallo"));
    expect(await at.resolve("", 10)).toBe(INVALID);
    rmSync(file);
    expect(await at.resolve("", 10)).toBe(INVALID);
    writeFileSync(file, good);
    expect(ids(await at.resolve("", 10))).toEqual(["hello.md", "other.md"]);
  });

  test("a manifest entry that leaves the cache is not followed", async () => {
    using at = await project();
    const manifest = join(at.caches, "c", "manifest.json");
    writeFileSync(
      join(at.root, "x.json"),
      readFileSync(join(at.caches, "c", "documents", "64ec88ca00b2.json")),
    );
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace("documents/64ec88ca00b2.json", "../../x.json"),
    );
    expect(await at.resolve("", 10)).toBe(INVALID);
  });

  test("a linked document is not followed", async () => {
    using at = await project();
    const file = join(at.caches, "c", "documents", "64ec88ca00b2.json");
    writeFileSync(join(at.root, "x.json"), readFileSync(file));
    rmSync(file);
    symlinkSync(join(at.root, "x.json"), file);
    expect(await at.resolve("", 10)).toBe(INVALID);
  });

  test("a manifest that lists fewer documents than it was built from is not the same cache", async () => {
    using at = await project({ "a.md": "a", "b.md": "b" });
    const file = join(at.caches, "c", "manifest.json");
    const manifest = z
      .looseObject({ documents: z.array(z.unknown()) })
      .parse(JSON.parse(readFileSync(file, "utf8")));
    writeFileSync(
      file,
      JSON.stringify({ ...manifest, document_count: 1, documents: manifest.documents.slice(1) }),
    );
    expect(await at.resolve("", 10)).toBe(INVALID);
  });
});

describe("listing and inspecting", () => {
  test("caches are the directories below the root, sorted by bytes, without links", async () => {
    using at = await project();
    mkdirSync(join(at.caches, "b-empty"));
    mkdirSync(join(at.caches, "B"));
    mkdirSync(join(at.caches, "linked-manifest"));
    symlinkSync(join(at.caches, "c", "manifest.json"), join(at.caches, "linked-manifest", "manifest.json"));
    symlinkSync(join(at.caches, "c"), join(at.caches, "linked"));
    writeFileSync(join(at.caches, "file"), "");
    const listing =
      '{"caches":[{"path":"B","has_manifest":false},{"path":"b-empty","has_manifest":false},' +
      '{"path":"c","has_manifest":true},{"path":"linked-manifest","has_manifest":false}]}';
    expect(await at.call("context.list_caches", {})).toBe(listing);
    expect(await at.call("caches list", { cache_root: at.caches })).toBe(listing);
  });

  test("a cache root that does not exist is an I/O error", async () => {
    using dir = tempDir();
    expect(await cachesAt(dir.path)("context.list_caches", {})).toBe(error("io_error", "I/O error occurred"));
  });

  test("inspect counts the files beside the documents, in either form of index", async () => {
    using at = await project({ "a.md": "a", "b.md": "b" });
    const manifest = readFileSync(join(at.caches, "c", "manifest.json"), "utf8");
    const flat: unknown = JSON.parse(readFileSync(join(at.caches, "c", "index.json"), "utf8"));
    const older = JSON.stringify({ entries: flat }, null, 2);
    writeFileSync(join(at.caches, "c", "index.json"), older);
    expect(JSON.parse(await at.call("context.inspect_cache", { cache: "c" }))).toMatchObject({
      document_count: 2,
      total_bytes: manifest.length + older.length,
      valid: true,
    });
    expect(await at.call("caches_verify", { cache: "c" })).toContain('"document_count":2');
  });

  test("a summary alone is enough for inspect but not for resolve", async () => {
    using at = await project();
    rmSync(join(at.caches, "c"), { recursive: true });
    writeTree(join(at.caches, "c"), { "manifest.json": '{"cache_version":"x","document_count":0}' });
    expect(await at.call("context.inspect_cache", { cache: "c" })).toBe(
      '{"cache_version":"x","document_count":0,"total_bytes":40,"valid":true}',
    );
    expect(await at.resolve("", 1)).toBe(INVALID);
  });

  test("the same question gives the same bytes, even in another process and from a rebuilt cache", async () => {
    using at = await project({ "a.md": "one two", "b.md": "two three" });
    const first = await at.resolve("two", 100);
    await at.build({ "b.md": "two three", "a.md": "one two" });
    const again = cachesAt(at.root, { now: () => new Date("2031-01-01T00:00:00Z") });
    expect([
      await at.resolve("two", 100),
      await again("context.resolve", { cache: "c", query: "two", budget: 100 }),
    ]).toEqual([first, first]);
  });
});
