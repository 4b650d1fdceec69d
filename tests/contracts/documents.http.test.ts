import { cpSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/core/room-offer.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { scratchApp } from "../support/scratch-app.ts";
import { CORPUS, type DocumentsProject, documentsProject, GOLDEN, WORDS_ONLY } from "./documents-project.ts";

interface HttpCase {
  readonly id: string;
  readonly title: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    readonly raw?: string;
  };
  readonly expect: Record<string, unknown>;
}
const CASES: HttpCase[] = JSON.parse(readFileSync(`${GOLDEN}/http_cases.json`, "utf8"));
/** Cases where we differ for a reason; the tests after the table show what we do instead. */
const OURS = new Set([
  "H05", // Takes the directory away.
  "H12", // No document has all three words: any of them is better than nothing.
  "H23", // Needs other documents.
  "H25", // Needs an id.
  "H28", // A page of any site could read the documents of everyone who visits it: no wildcard.
]);

let project: DocumentsProject;
let app: App;
const over = (opened: App) =>
  httpApp(opened, { version: "0", host: "127.0.0.1", mcp: mcpHandler(opened, { version: "0" }).fetch });

beforeAll(async () => {
  project = documentsProject(WORDS_ONLY);
  cpSync(`${GOLDEN}/corpus`, join(project.root, "docs"), { recursive: true });
  for (const [name, time] of Object.entries(CORPUS)) {
    utimesSync(join(project.root, "docs", name), new Date(time), new Date(time));
  }
  await project.sync();
  app = scratchApp(project.door.tools, project.machine);
});
afterAll(() => project[Symbol.asyncDispose]());

async function ask({ method, path, headers = {}, body, raw }: HttpCase["request"]) {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await over(app).request(path, {
    method,
    headers: { Host: "127.0.0.1:7331", ...headers },
    // As bytes: a string would set its own content type.
    ...(text !== undefined && { body: new TextEncoder().encode(text) }),
  });
  const type = response.headers.get("content-type") ?? "";
  // Each test checks what it reads.
  const answer = (type.includes("json") ? await response.json() : {}) as Body;
  return { status: response.status, type, body: answer };
}
const post = (path: string, body: unknown) =>
  ask({ method: "POST", path, headers: { "Content-Type": "application/json" }, body });

interface Body {
  results?: { id: string; source_id: string; score: number }[];
  sources?: { name: string }[];
  error?: { code: string };
  paths?: object;
}

/** Reads a golden expectation: dotted names, sets of statuses, counts. */
function check(expected: Record<string, unknown>, got: { status: number; type: string; body: Body }): void {
  const { results = [], sources = [], error } = got.body;
  const readings: Record<string, unknown> = {
    status: got.status,
    keys: Object.keys(got.body),
    result_keys: Object.keys(results[0] ?? {}),
    "first.source_id": results[0]?.source_id,
    "first.score": results[0]?.score,
    results: Array.isArray(expected["results"]) ? results : results.length,
    item_keys: Object.keys(sources[0] ?? {}),
    "item0.name": sources[0]?.name,
    "error.code": error?.code,
  };
  for (const [name, value] of Object.entries(expected)) {
    if (name === "content_type") expect(got.type).toContain(value);
    else if (name === "results_ge") expect(results.length).toBeGreaterThanOrEqual(Number(value));
    else if (name === "status_in") expect(value).toContain(got.status);
    else if (name === "if_400.error.code") expect(got.status === 400 ? error?.code : value).toBe(value);
    else if (name === "source_ids_any_order")
      expect(results.map(({ source_id }) => source_id).sort()).toEqual(value);
    else if (name !== "note") expect(readings[name]).toEqual(value);
  }
}

describe("the contract's cases over HTTP", () => {
  test.each(CASES.filter(({ id }) => !OURS.has(id)))("$id: $title", async (given) => {
    check(given.expect, await ask(given.request));
  });

  test("H12: operator words are plain words; if no document has all words, any word matches", async () => {
    const { body } = await post("/tools/search", { query: "rollback NOT approval" });
    expect(body.results?.map(({ source_id }) => source_id)).toEqual(
      expect.arrayContaining(["deploy.md", "oncall.md"]),
    );
  });

  test("H25: get returns the whole document", async () => {
    const { body: found } = await post("/tools/search", { query: "retention" });
    const id = found.results?.[0]?.id;
    const { status, body } = await post("/tools/get", { id });
    const text = readFileSync(`${GOLDEN}/corpus/backups.md`, "utf8");
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id,
        source: "filesystem:docs",
        source_id: "backups.md",
        source_url: expect.stringMatching(/^file:\/\/\/.*\/docs\/backups\.md$/),
        title: "backups.md",
        author: null,
        created_at: "2026-03-02T00:00:00Z",
        updated_at: "2026-03-02T00:00:00Z",
        content_type: "text/plain",
        body: text,
        metadata: {},
        chunks: [{ index: 0, text }],
      },
    });
    expect(Object.keys(body)).toEqual([
      ...["id", "source", "source_id", "source_url", "title", "author", "created_at", "updated_at"],
      ...["content_type", "body", "metadata", "chunks"],
    ]);
  });

  test("H28: a foreign page is refused", async () => {
    const { status } = await ask({
      method: "OPTIONS",
      path: "/tools/search",
      headers: { Origin: "http://x" },
    });
    expect(status).toBe(403);
  });

  test("another Host or Origin is refused before any lookup", async () => {
    const attack = (headers: Record<string, string>) =>
      ask({
        method: "POST",
        path: "/tools/search",
        headers: { "Content-Type": "application/json", ...headers },
        body: { query: "token" },
      });
    const answers = await Promise.all([
      attack({ Host: "evil.example" }),
      attack({ Host: "127.0.0.1.nip.io:7331" }),
      attack({ Origin: "https://evil.example" }),
      attack({ Origin: "null" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  test("the API describes the three tools", async () => {
    const { body } = await ask({ method: "GET", path: "/openapi.json" });
    expect(Object.keys(body.paths ?? {})).toEqual(
      expect.arrayContaining(["/tools/search", "/tools/get", "/tools/sources"]),
    );
  });
});

const bad = (message: RegExp | string) => ({
  error: { code: "bad_request", message: expect.stringMatching(message) },
});

describe("the error says what is wrong with the input", () => {
  test.each([
    ["limit 0", { query: "x", limit: 0 }],
    ["limit 101", { query: "x", limit: 101 }],
    ["limit 1.5", { query: "x", limit: 1.5 }],
    ["limit null", { query: "x", limit: null }],
    ["a query that is no text", { query: 7 }],
    ["tags that are no list", { query: "x", filters: { tags: "a" } }],
    ["a date that is none", { query: "zzz", filters: { until: "2026-02-30" } }],
    ["a list for a body", []],
  ])("%s", async (_name, input) => {
    expect(await post("/tools/search", input)).toMatchObject({ status: 400, body: bad(/./) });
  });
});

test("H23: a filter narrows before candidates are cut", async () => {
  await using other = documentsProject({
    retrieval: { candidate_k_keyword: 10 },
    connectors: { filesystem: { a: { root: "a" }, b: { root: "b" } } },
    embedding: { provider: "disabled" },
  });
  for (let number = 0; number < 100; number += 1) other.write(`a/${number}.md`, "token token token");
  other.write("b/only.md", `token ${"other words here ".repeat(20)}`);
  await other.sync();
  expect(await other.found("token", { filters: { source: "filesystem:b" } })).toEqual(["only.md"]);
});

test("H05: a source without its directory reports that, and its documents stay", async () => {
  await using other = documentsProject(WORDS_ONLY);
  other.write("docs/a.md", "alpha");
  await other.sync();
  rmSync(join(other.root, "docs"), { recursive: true });
  const [report] = await other.sync();
  expect([report?.status, await other.call("context.sources"), await other.found("alpha")]).toEqual([
    "failed",
    {
      sources: [
        { name: "filesystem:docs", configured: true, healthy: false, notes: "root directory does not exist" },
      ],
    },
    ["a.md"],
  ]);
});

describe("golden keyword searches", () => {
  interface GoldenQuery {
    query: string;
    results: { doc: string; score: number; snippet: string }[];
  }
  const { queries }: { queries: GoldenQuery[] } = JSON.parse(
    readFileSync(`${GOLDEN}/keyword_search.json`, "utf8"),
  );
  let small: DocumentsProject;
  beforeAll(async () => {
    small = documentsProject({ ...WORDS_ONLY, chunking: { max_tokens: 60 } });
    cpSync(`${GOLDEN}/corpus`, join(small.root, "docs"), { recursive: true });
    await small.sync();
  });
  afterAll(() => small[Symbol.asyncDispose]());

  test.each(queries)("$query", async ({ query, results }) => {
    const found = await small.search(query);
    expect(found.map(({ source_id, score, snippet }) => ({ doc: source_id, score, snippet }))).toEqual(
      results.map(({ doc, score, snippet }) => ({ doc, score: expect.closeTo(score, 6), snippet })),
    );
  });
});
