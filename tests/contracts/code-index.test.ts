import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openCodeIndex } from "../../src/capabilities/code-index/index.ts";
import { IndexOutput, SearchOutput, StatusOutput } from "../../src/capabilities/code-index/schemas.ts";
import { projectAt } from "../../src/capabilities/code-index/store/project.ts";
import { lockProject } from "../../src/capabilities/code-index/store/run-lock.ts";
import { Config } from "../../src/core/config/config.ts";
import { DomainError } from "../../src/core/errors.ts";
import { acquireLock } from "../../src/core/lock/lock.ts";
import type { Machine } from "../../src/core/machine.ts";
import { invoke } from "../../src/core/tool.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

const GOLDEN = join(import.meta.dirname, "golden", "code-index", "corpus");
const SOURCES = 5;

/** A room over a copy of the golden module. */
function openCorpus(overrides: Partial<Machine> = {}) {
  const directory = tempDir();
  const corpus = join(directory.path, "corpus");
  cpSync(GOLDEN, corpus, { recursive: true });
  const machine = testMachine(corpus, overrides);
  const room = openCodeIndex(machine);
  const call = async (name: string, input: Record<string, unknown>) => {
    const tool = room.tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke(tool, input, testCall());
  };
  return {
    corpus,
    machine,
    directory: directory.path,
    call,
    index: async (input: Record<string, unknown> = {}) =>
      IndexOutput.parse(await call("index_codebase", { path: corpus, ...input })),
    search: async (input: Record<string, unknown>) =>
      SearchOutput.parse(await call("search_code", { path: corpus, ...input })),
    status: async (input: Record<string, unknown> = {}) =>
      StatusOutput.parse(await call("get_status", { path: corpus, ...input })),
    async [Symbol.asyncDispose]() {
      await room.close();
      directory[Symbol.dispose]();
    },
  };
}
type Corpus = ReturnType<typeof openCorpus>;

async function openIndexed(overrides: Partial<Machine> = {}): Promise<Corpus> {
  const corpus = openCorpus(overrides);
  await corpus.index();
  return corpus;
}

/** One index for the tests that only read. */
let shared: Promise<Corpus> | undefined;
const readOnly = () => {
  shared ??= openIndexed();
  return shared;
};
afterAll(async () => (await shared)?.[Symbol.asyncDispose]());

/** The parts of a thrown error that the surfaces read. */
async function failure(promise: Promise<unknown>) {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof DomainError)) throw new Error(`expected a DomainError, got ${String(thrown)}`);
  return {
    code: thrown.code,
    reason: thrown.reason,
    param: thrown.details["param"],
    message: thrown.message,
    next: thrown.next,
  };
}

const touch = (file: string) => utimesSync(file, new Date("2026-03-01"), new Date("2026-03-01"));

describe("index_codebase", () => {
  test("a first run indexes every source file and reports the one that does not parse", async () => {
    await using corpus = openCorpus();
    const { statistics, errors, message, ...rest } = await corpus.index();
    expect(rest).toEqual({ success: true, project_id: expect.any(Number) });
    expect(statistics).toEqual({
      files_indexed: SOURCES - 1,
      files_skipped: 0,
      files_failed: 1,
      symbols_extracted: 26,
      chunks_created: 28,
      embeddings_generated: expect.any(Number),
      duration_seconds: expect.any(Number),
      index_size_mb: expect.any(Number),
      files_removed: 0,
      text_files_indexed: 2,
    });
    expect(errors).toEqual([{ file: "broken/bad.go", error: "syntax error: expecting ')' (line 6)" }]);
    expect(message).toMatch(/^Successfully indexed \d+ files in [0-9.]+ seconds$/);
  });

  test("the parts of a broken file that parse are found", async () => {
    await using corpus = await openIndexed();
    const { results } = await corpus.search({ query: "Fine", search_mode: "keyword" });
    expect(results[0]).toMatchObject({ symbol: { name: "Fine" }, file: { path: "broken/bad.go" } });
  });

  test("a second run skips every file", async () => {
    await using corpus = await openIndexed();
    const { statistics } = await corpus.index();
    expect(statistics).toMatchObject({ files_indexed: 0, files_failed: 0, files_skipped: SOURCES });
  });

  test("only an edited file is indexed again", async () => {
    await using corpus = await openIndexed();
    appendFileSync(join(corpus.corpus, "internal/store/generic.go"), "\n// Fresh is new.\nfunc Fresh() {}\n");
    expect((await corpus.index()).statistics).toMatchObject({ files_indexed: 1, files_skipped: SOURCES - 1 });
    const { results } = await corpus.search({ query: "Fresh", search_mode: "keyword" });
    expect(results.map(({ symbol }) => symbol.name)).toEqual(["Fresh"]);
  });

  test("a file that is only touched is not indexed again", async () => {
    await using corpus = await openIndexed();
    touch(join(corpus.corpus, "internal/store/generic.go"));
    expect((await corpus.index()).statistics).toMatchObject({ files_indexed: 0, files_skipped: SOURCES });
  });

  test("a deleted file leaves the index", async () => {
    await using corpus = await openIndexed();
    rmSync(join(corpus.corpus, "internal/store/generic.go"));
    expect((await corpus.index()).statistics).toMatchObject({ files_removed: 1 });
    const { results } = await corpus.search({ query: "OrderPlacedHandler", search_mode: "keyword" });
    expect(results).toEqual([]);
  });

  test("a renamed file is found under its new path only", async () => {
    await using corpus = await openIndexed();
    const billing = join(corpus.corpus, "internal/billing");
    renameSync(join(billing, "model.go"), join(billing, "invoice.go"));
    await corpus.index();
    const { results } = await corpus.search({ query: "NewInvoice", search_mode: "keyword", limit: 100 });
    const paths = results.filter(({ symbol }) => symbol.name === "NewInvoice").map(({ file }) => file.path);
    expect(paths).toEqual(["internal/billing/invoice.go"]);
  });

  test("a forced run reads every file and changes no count", async () => {
    await using corpus = await openIndexed();
    const before = await corpus.status();
    const { statistics } = await corpus.index({ force_reindex: true });
    expect(statistics).toMatchObject({ files_indexed: SOURCES - 1, files_failed: 1, files_skipped: 0 });
    const after = await corpus.status();
    const sizes = (status: StatusOutput) => [
      status.statistics?.total_files,
      status.statistics?.total_symbols,
      status.statistics?.total_chunks,
      status.statistics?.total_embeddings,
    ];
    expect(sizes(after)).toEqual(sizes(before));
  });

  test("flags add and remove tests and vendored code", async () => {
    await using corpus = openCorpus();
    await corpus.index({ include_tests: false, include_vendor: true });
    const named = async (query: string) =>
      (await corpus.search({ query, search_mode: "keyword" })).results.map(({ file }) => file.path);
    expect(await named("TestTotal")).toEqual([]);
    expect(await named("Vendored")).toEqual(["vendor/example.org/lib/lib.go"]);
    await corpus.index();
    expect(await named("TestTotal")).toEqual(["internal/billing/model_test.go"]);
    expect(await named("Vendored")).toEqual([]);
  });

  test("excluding tests removes them from the index", async () => {
    await using corpus = await openIndexed();
    await corpus.index({ include_tests: false });
    const { results } = await corpus.search({ query: "TestTotal", search_mode: "keyword" });
    expect(results).toEqual([]);
  });

  test.each([
    ["a relative path", "./corpus", "Path must be absolute"],
    ["a path that does not exist", "/no/such/dir", "Path does not exist or is not accessible"],
  ])("%s is refused", async (_what, path, message) => {
    await using corpus = openCorpus();
    expect(await failure(corpus.index({ path }))).toEqual({
      code: "invalid_input",
      reason: "wrong_path",
      param: "path",
      message,
    });
  });

  test.each(["/", homedir()])("%s is not a project unless it is forced", async (path) => {
    await using corpus = openCorpus();
    expect(await failure(corpus.index({ path }))).toMatchObject({
      code: "invalid_input",
      param: "path",
      message: expect.stringMatching(/more than a project.*--force/),
    });
  });

  test("a path is required", async () => {
    await using corpus = openCorpus();
    expect(await failure(corpus.call("index_codebase", {}))).toMatchObject({
      code: "invalid_input",
      param: "path",
    });
  });

  test("a directory without code is not a project", async () => {
    await using corpus = openCorpus();
    const empty = join(corpus.directory, "empty");
    mkdirSync(empty);
    writeFileSync(join(empty, "notes.txt"), "only words\n");
    expect(await failure(corpus.index({ path: empty }))).toMatchObject({ reason: "not_a_project" });
  });

  test("a directory with only a go.mod is an empty project", async () => {
    await using corpus = openCorpus();
    const bare = join(corpus.directory, "bare");
    mkdirSync(bare);
    writeFileSync(join(bare, "go.mod"), "module example.org/bare\n\ngo 1.22\n");
    const { success, statistics } = await corpus.index({ path: bare });
    expect({ success, files: statistics.files_indexed }).toEqual({ success: true, files: 0 });
  });

  test("a project has one run at a time, and other projects do not wait for it", async () => {
    await using corpus = await openIndexed();
    const { root } = corpus.machine;
    const { projectAt } = await import("../../src/capabilities/code-index/store/project.ts");
    using _lock = await acquireLock({
      directory: projectAt(corpus.machine, root).directory,
      name: "code-index",
      purpose: "test",
    });
    expect(await failure(corpus.index())).toMatchObject({ code: "busy", reason: "already_indexing" });
    const other = join(corpus.directory, "other");
    cpSync(GOLDEN, other, { recursive: true });
    expect((await corpus.index({ path: other })).success).toBe(true);
  });
});

describe("search_code", () => {
  test("a result has the symbol, its location, its source and the lines around it", async () => {
    const corpus = await readOnly();
    const { results } = await corpus.search({ query: "NewInvoice", search_mode: "keyword" });
    expect(results[0]).toEqual({
      chunk_id: expect.any(Number),
      rank: 1,
      relevance_score: expect.any(Number),
      symbol: {
        name: "NewInvoice",
        kind: "function",
        package: "internal/billing",
        signature: "func NewInvoice(id int64) *InvoiceAggregate",
        doc_comment: "NewInvoice starts an empty invoice.",
      },
      file: {
        path: "internal/billing/model.go",
        package: "billing",
        start_line: 45,
        end_line: 46,
        language: "go",
      },
      content:
        "// NewInvoice starts an empty invoice.\nfunc NewInvoice(id int64) *InvoiceAggregate { return &InvoiceAggregate{ID: id} }",
      context_before: 'package billing\n\nimport (\n\t"errors"\n\tt "time"\n)',
      context_after: "",
    });
  });

  test.each(["keyword", "hybrid"])("an exact name is first in %s mode", async (mode) => {
    const corpus = await readOnly();
    for (const name of [
      "InvoiceAggregate",
      "Total",
      "MaxLines",
      "minLines",
      "low",
      "high",
      "Push",
      "UserProfile",
      "user",
    ]) {
      const { results } = await corpus.search({ query: name, search_mode: mode });
      expect(results[0]?.symbol.name, name).toBe(name);
    }
  });

  test("words of a doc comment find the symbol it documents", async () => {
    const corpus = await readOnly();
    const { results } = await corpus.search({ query: "upper bound", search_mode: "keyword" });
    expect(results[0]?.symbol).toMatchObject({
      name: "MaxLines",
      kind: "const",
      doc_comment: "MaxLines is the upper bound.",
    });
  });

  test.each([
    ["a dotted name", "billing.NewInvoice"],
    ["operators", "a AND NOT (b OR"],
    ["quotes", `"NewInvoice" '*' NEAR/2`],
  ])("%s in a query is text, not syntax", async (_what, query) => {
    const corpus = await readOnly();
    expect((await corpus.search({ query, search_mode: "keyword" })).success).toBe(true);
  });

  test("a dotted name is found", async () => {
    const corpus = await readOnly();
    const { results } = await corpus.search({ query: "billing.NewInvoice", search_mode: "keyword" });
    expect(results.length).toBeGreaterThan(0);
  });

  test("a query in another script finds nothing, without an error", async () => {
    const corpus = await readOnly();
    const { success, results } = await corpus.search({ query: "счёт", search_mode: "keyword" });
    expect({ success, results }).toEqual({ success: true, results: [] });
  });

  test("symbol types, patterns, packages and globs narrow the results", async () => {
    const corpus = await readOnly();
    const names = async (filters: Record<string, unknown>, query = "invoice") =>
      (await corpus.search({ query, filters, limit: 100 })).results.map(({ symbol }) => symbol.name).sort();
    expect(await names({ symbol_types: ["struct"] }, "InvoiceAggregate")).toContain("InvoiceAggregate");
    const { results } = await corpus.search({
      query: "InvoiceAggregate",
      filters: { symbol_types: ["struct"] },
      limit: 100,
    });
    expect(new Set(results.map(({ symbol }) => symbol.kind))).toEqual(new Set(["struct"]));
    expect(await names({ ddd_patterns: ["aggregate"] })).toEqual(["InvoiceAggregate"]);
    expect(await names({ ddd_patterns: ["handler", "command"] }, "order")).toEqual([
      "OrderPlacedHandler",
      "PlaceOrderCmd",
    ]);
    const inside = await names({ packages: ["internal/billing"] });
    expect(await names({ packages: ["billing"] })).toEqual(inside);
    expect(await names({ packages: ["example.org/shopfront/internal/billing"] })).toEqual(inside);
    expect(await names({ file_pattern: "internal/billing/**" })).toEqual(inside);
    expect(await names({ file_pattern: "nowhere/**" })).toEqual([]);
  });

  test("scores are between 0 and 1, do not rise with rank, and respect the threshold", async () => {
    const corpus = await readOnly();
    for (const search_mode of ["keyword", "hybrid"]) {
      const { results } = await corpus.search({
        query: "invoice",
        search_mode,
        filters: { min_relevance: 0.5 },
      });
      const scores = results.map((result) => result.relevance_score);
      expect(scores.every((score) => score >= 0.5 && score <= 1)).toBe(true);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(results.map(({ rank }) => rank)).toEqual(results.map((_, index) => index + 1));
    }
  });

  test("the total includes results beyond the limit", async () => {
    const corpus = await readOnly();
    const { statistics } = await corpus.search({ query: "invoice", limit: 1 });
    expect(statistics.returned_results).toBe(1);
    expect(statistics.total_results).toBeGreaterThan(1);
  });

  test("an answer is cached for the same query until the index changes", async () => {
    await using corpus = await openIndexed();
    const hit = async (limit: number) => {
      const { statistics } = await corpus.search({ query: "invoice", limit });
      return [statistics.returned_results, statistics.cache_hit];
    };
    expect(await hit(5)).toEqual([5, false]);
    expect(await hit(1)).toEqual([1, false]);
    expect(await hit(1)).toEqual([1, true]);
    appendFileSync(join(corpus.corpus, "internal/store/generic.go"), "\nfunc invoiceLater() {}\n");
    await corpus.index();
    expect(await hit(1)).toEqual([1, false]);
  });

  test.each([
    ["a missing query", {}, "query"],
    ["a query that is not text", { query: 7 }, "query"],
    ["a query of 1001 characters", { query: "x".repeat(1001) }, "query"],
    ["limit 0", { query: "x", limit: 0 }, "limit"],
    ["limit 101", { query: "x", limit: 101 }, "limit"],
    ["limit -1", { query: "x", limit: -1 }, "limit"],
    ["limit 2.5", { query: "x", limit: 2.5 }, "limit"],
    ["a limit in quotes", { query: "x", limit: "10" }, "limit"],
    ["an unknown kind", { query: "x", filters: { symbol_types: ["class"] } }, "filters"],
    ["an unknown pattern", { query: "x", filters: { ddd_patterns: ["saga"] } }, "filters"],
    ["an unknown filter", { query: "x", filters: { colour: "red" } }, "filters"],
    ["a broken glob", { query: "x", filters: { file_pattern: "a[" } }, "filters"],
    ["a threshold above 1", { query: "x", filters: { min_relevance: 2 } }, "filters"],
    ["an unknown mode", { query: "x", search_mode: "magic" }, "search_mode"],
  ])("%s is refused", async (_what, input, param) => {
    const corpus = await readOnly();
    expect(await failure(corpus.search(input))).toMatchObject({ code: "invalid_input", param });
  });

  test("a blank query has its own error", async () => {
    const corpus = await readOnly();
    expect(await failure(corpus.search({ query: " \t" }))).toMatchObject({ reason: "empty_query" });
  });

  test("a project that is not indexed has its own error", async () => {
    await using corpus = openCorpus();
    expect(await failure(corpus.search({ query: "invoice" }))).toMatchObject({
      reason: "not_indexed",
      message: "Project not indexed.",
      next: { tool: "index_codebase" },
    });
  });

  test("without embeddings the words are still found", async () => {
    const disabled = { config: async () => Config.parse({ embedding: { provider: "disabled" } }) };
    await using corpus = await openIndexed(disabled);
    for (const search_mode of ["keyword", "hybrid"]) {
      const { results } = await corpus.search({ query: "NewInvoice", search_mode });
      expect(results[0]?.symbol.name).toBe("NewInvoice");
    }
    expect((await corpus.status()).health).toMatchObject({
      embeddings_available: false,
      fts_indexes_built: true,
    });
  });

  test("while another run holds the index, a result says that its file has changed since it was indexed", async () => {
    await using corpus = await openIndexed();
    using _lock = await lockProject(projectAt(corpus.machine, corpus.corpus));
    appendFileSync(join(corpus.corpus, "internal/billing/model.go"), "\n// later\n");
    const { results, statistics } = await corpus.search({
      query: "NewInvoice",
      search_mode: "keyword",
      limit: 1,
    });
    expect({ fresh: results[0]?.fresh, changed: statistics.files_changed }).toEqual({
      fresh: false,
      changed: 1,
    });
    touch(join(corpus.corpus, "internal/store/generic.go"));
    const other = await corpus.search({ query: "OrderPlacedHandler", search_mode: "keyword", limit: 1 });
    expect(other.results[0]).not.toHaveProperty("fresh");
  });
});

describe("get_status", () => {
  test("says that a project is not indexed before the first run", async () => {
    await using corpus = openCorpus();
    expect(await corpus.status()).toEqual({
      success: true,
      indexed: false,
      project: null,
      statistics: null,
      health: null,
      message: "Project not indexed. Run index_codebase to create index.",
    });
  });

  test("describes the index after a run", async () => {
    const corpus = await readOnly();
    expect(await corpus.status()).toMatchObject({
      success: true,
      indexed: true,
      project: {
        root_path: corpus.corpus,
        module_name: "example.org/shopfront",
        go_version: "1.22",
        index_version: "1.0.0",
      },
      statistics: {
        total_files: SOURCES,
        total_symbols: 26,
        total_chunks: 28,
        index_size_mb: expect.any(Number),
        last_indexed_at: "2026-01-02T03:04:05.000Z",
        indexing_duration_seconds: expect.any(Number),
      },
      health: { database_accessible: true, fts_indexes_built: true },
      message: `Project indexed successfully with ${SOURCES} files`,
    });
  });

  test("a file is not a project", async () => {
    await using corpus = openCorpus();
    expect(await failure(corpus.status({ path: join(corpus.corpus, "go.mod") }))).toMatchObject({
      param: "path",
    });
  });

  test("a trailing slash or a link is the same project", async () => {
    await using corpus = await openIndexed();
    const link = join(corpus.directory, "link");
    symlinkSync(corpus.corpus, link);
    const answers = await Promise.all([`${corpus.corpus}/`, link].map((path) => corpus.status({ path })));
    expect(answers.map(({ indexed }) => indexed)).toEqual([true, true]);
  });
});

test("the golden files are as listed", () => {
  const Cases = z.object({ cases: z.array(z.unknown()) });
  const read = (name: string) =>
    Cases.parse(JSON.parse(readFileSync(join(GOLDEN, "..", name), "utf8"))).cases.length;
  expect([read("ddd_cases.json"), read("file_pattern.json")]).toEqual([29, 11]);
});
