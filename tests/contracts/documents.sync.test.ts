import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectDirectory } from "../../src/capabilities/documents/places.ts";
import { acquireLock } from "../../src/core/lock/lock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { testCall } from "../support/machine.ts";
import { documentsProject, FILES, type Report, WORDS_ONLY } from "./documents-project.ts";

const counts = ({ found, written, unchanged, removed }: Report) => ({ found, written, unchanged, removed });

describe("choosing sources", () => {
  const two = {
    ...WORDS_ONLY,
    connectors: {
      filesystem: { a: { root: "a" }, b: { root: "b" } },
      git: { none: { url: "/nowhere/x.git" } },
    },
  };

  test("all, a type, or one source", async () => {
    await using project = documentsProject(two);
    project.write("a/1.md", "heron");
    project.write("b/2.md", "stork");
    const chosen = async (target: string) => (await project.sync({ target })).map(({ source }) => source);
    expect([await chosen("filesystem:b"), await chosen("filesystem"), await chosen("all")]).toEqual([
      ["filesystem:b"],
      ["filesystem:a", "filesystem:b"],
      ["filesystem:a", "filesystem:b", "git:none"],
    ]);
  });

  test("the error for an unknown target lists the connectors or says how to add one", async () => {
    await using project = documentsProject(two);
    await expect(project.sync({ target: "s3" })).rejects.toMatchObject({
      code: "invalid_input",
      reason: "not_configured",
      message: expect.stringContaining("filesystem:a, filesystem:b, git:none"),
    });
    await using empty = documentsProject({});
    await expect(empty.sync()).rejects.toMatchObject({ message: expect.stringContaining("contextful.toml") });
    expect(await empty.call("context.sources")).toEqual({ sources: [] });
    expect(await empty.search("heron")).toEqual([]);
    await expect(empty.get("x")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a failing source does not stop the others", async () => {
    await using project = documentsProject(two);
    project.write("a/1.md", "heron");
    const reports = await project.sync();
    expect(reports.map(({ source, status }) => [source, status])).toEqual([
      ["filesystem:a", "ok"],
      ["filesystem:b", "failed"],
      ["git:none", "failed"],
    ]);
    expect(await project.found("heron")).toEqual(["1.md"]);
  });

  test("the last sync is the last time the source was reached", async () => {
    await using project = documentsProject(WORDS_ONLY);
    const notes = async () => {
      const { sources } = (await project.call("context.sources")) as { sources: { notes: string }[] };
      return sources[0]?.notes;
    };
    const [failed] = await project.sync({ dry_run: true });
    project.write("docs/a.md", "heron");
    const afterRehearsal = await notes();
    project.remove("docs");
    await project.sync();
    project.write("docs/a.md", "heron");
    expect([failed?.status, afterRehearsal, await notes()]).toEqual([
      "failed",
      "root: docs; never synced",
      expect.stringMatching(/; never synced; last error: .*does not exist$/),
    ]);
  });

  test("an invalid glob is reported for its source", async () => {
    await using project = documentsProject({
      connectors: { filesystem: { a: { root: ".", include: ["{"] } } },
    });
    const [report] = await project.sync();
    expect([report?.status, report?.problems[0]?.reason]).toEqual(["failed", expect.stringMatching(/brace/)]);
  });
});

describe("windows and limits", () => {
  test("a run limited by time or number skips nothing for later runs", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron a", "2026-01-01T12:00:00Z");
    project.write("docs/b.md", "heron b", "2026-01-05T12:00:00Z");
    project.write("docs/c.md", "heron c", "2026-01-09T12:00:00Z");
    const [window] = await project.sync({ since: "2026-01-05", until: "2026-01-05" });
    const inWindow = await project.found("heron");
    const [one] = await project.sync({ limit: 1 });
    const [rest] = await project.sync();
    expect(
      [window, one, rest].map((report) => [report?.written, report?.complete, report?.checkpoint !== null]),
    ).toEqual([
      [1, false, false],
      [1, false, false],
      [1, true, true],
    ]);
    expect([inWindow, await project.found("heron")]).toEqual([["b.md"], ["a.md", "b.md", "c.md"]]);
  });

  test("a limited run treats nothing as deleted", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron");
    project.write("docs/b.md", "heron");
    await project.sync();
    project.remove("docs/a.md");
    await project.sync({ limit: 1 });
    const before = await project.found("heron");
    await project.sync();
    expect([before, await project.found("heron")]).toEqual([["a.md", "b.md"], ["b.md"]]);
  });

  test("a dry run counts the documents to remove, and none for a limited run", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron");
    project.write("docs/b.md", Buffer.from([0xff, 0x00]));
    project.write("docs/c.md", "heron");
    await project.sync();
    project.remove("docs/a.md");
    project.remove("docs/b.md");
    const [whole] = await project.sync({ dry_run: true });
    const [narrowed] = await project.sync({ dry_run: true, limit: 1 });
    expect([whole?.removed, narrowed?.removed]).toEqual([1, 0]);
  });

  test.each([{ since: "soon" }, { until: "2026-02-30" }, { limit: 0 }])("%j is refused", async (input) => {
    await using project = documentsProject(WORDS_ONLY);
    await expect(project.sync(input)).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("stored documents", () => {
  test("the first creation time stays when a document changes", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron", "2026-01-01T00:00:00Z");
    await project.sync();
    project.write("docs/a.md", "heron again", "2026-02-01T00:00:00Z");
    await project.sync();
    const [hit] = await project.search("heron");
    expect(await project.get(hit?.id ?? "")).toMatchObject({
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-02-01T00:00:00Z",
    });
  });

  test("front matter gives title, author, tags and dates", async () => {
    await using project = documentsProject({
      connectors: { filesystem: { docs: { root: "docs", tags: ["team"] } } },
      embedding: { provider: "disabled" },
    });
    project.write(
      "docs/a.md",
      "---\ntitle: Birds\nauthor: Ada\ntags: wader, heron\ndate: 2025-05-05\nupdated: 2025-06-06\n---\nTall.",
    );
    await project.sync();
    const [hit] = await project.search("tall", { filters: { tags: ["team", "wader"], until: "2025-06-06" } });
    expect(await project.get(hit?.id ?? "")).toMatchObject({
      title: "Birds",
      author: "Ada",
      created_at: "2025-05-05T00:00:00Z",
      updated_at: "2025-06-06T00:00:00Z",
      metadata: { title: "Birds", tags: ["heron", "team", "wader"] },
    });
    expect(await project.found("tall", { filters: { tags: ["team", "none"] } })).toEqual([]);
  });

  test("new chunk sizes apply to stored documents without reading any source", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write(
      "docs/a.md",
      Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of herons.`).join("\n\n"),
    );
    project.write("docs/b.md", "---\ntags:\n---\nA stork.");
    await project.sync();
    const chunks = async () =>
      (await project.get((await project.search("herons"))[0]?.id ?? "")).chunks.length;
    const before = await chunks();
    project.configure({ ...WORDS_ONLY, chunking: { max_tokens: 40, overlap_tokens: 10 } });
    const [report] = await project.sync();
    const after = await chunks();
    expect([before, report?.written, after > 8]).toEqual([1, 0, true]);
  });

  test("the next full sync removes the documents of a removed connector", async () => {
    const both = { ...WORDS_ONLY, connectors: { filesystem: { a: { root: "a" }, b: { root: "b" } } } };
    await using project = documentsProject(both);
    project.write("a/1.md", "heron");
    project.write("b/2.md", "heron");
    await project.sync();
    project.configure({ ...both, connectors: { filesystem: { a: { root: "a" } } } });
    const told = await project.call("context.sources");
    await project.sync();
    expect([told, await project.found("heron")]).toEqual([
      {
        sources: [
          expect.objectContaining({ name: "filesystem:a", configured: true }),
          expect.objectContaining({ name: "filesystem:b", configured: false, healthy: false }),
        ],
      },
      ["1.md"],
    ]);
  });

  test("it also removes the documents of the last connector", async () => {
    await using project = documentsProject(WORDS_ONLY);
    // Not Markdown: a project without connectors has its Markdown files as its default source.
    project.write("docs/a.txt", "heron");
    await project.sync();
    project.configure({});
    const [rehearsed] = await project.sync({ dry_run: true });
    const [report] = await project.sync();
    expect([rehearsed, report].map((each) => each && [each.source, each.removed])).toEqual([
      ["filesystem:docs", 1],
      ["filesystem:docs", 1],
    ]);
    expect(await project.found("heron")).toEqual([]);
    await expect(project.sync()).rejects.toMatchObject({ reason: "not_configured" });
  });

  test("export and stats cover everything", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron", "2026-01-01T00:00:00Z");
    await project.sync();
    const [hit] = await project.search("heron");
    const id = hit?.id;
    expect([await project.call("documents_export"), await project.call("documents_stats")]).toEqual([
      {
        written: null,
        documents: [
          {
            id,
            source: "filesystem:docs",
            source_id: "a.md",
            source_url: expect.stringMatching(/^file:/),
            title: "a.md",
            updated_at: 1767225600,
            body: "heron",
          },
        ],
        chunks: [{ id: `${id}#0`, document_id: id, chunk_index: 0, text: "heron" }],
      },
      {
        documents: 1,
        chunks: 1,
        embedded: 0,
        size_bytes: expect.any(Number),
        sources: [
          {
            source: "filesystem:docs",
            documents: 1,
            chunks: 1,
            last_sync: expect.any(String),
            last_complete: expect.any(String),
          },
        ],
        problems: [],
      },
    ]);
  });

  test("ids are the same on every machine", async () => {
    const id = async () => {
      await using project = documentsProject(WORDS_ONLY);
      project.write("docs/a.md", "heron");
      await project.sync();
      return (await project.search("heron"))[0]?.id;
    };
    const first = await id();
    expect([first, await id()]).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      first,
    ]);
  });
});

describe("concurrent use", () => {
  test("fifty searches during a sync all answer from a consistent state", async () => {
    await using project = documentsProject(WORDS_ONLY);
    for (let number = 0; number < 300; number += 1) {
      project.write(`docs/${number}.md`, `heron number ${number}\n\n${"words between ".repeat(200)}`);
    }
    await project.sync({ limit: 50 });
    const syncing = project.sync();
    const searching = Array.from({ length: 50 }, () => project.search("heron", { limit: 100 }));
    const found = await Promise.all(searching);
    await syncing;
    expect(found.every((results) => results.length >= 50)).toBe(true);
    expect((await project.search("heron", { limit: 100 })).length).toBe(100);
  });

  test("two open instances of a project see each other's changes", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron");
    await project.sync();
    const before = await project.found("heron");
    project.reopen();
    project.write("docs/b.md", "heron");
    await project.sync();
    expect([before, await project.found("heron")]).toEqual([["a.md"], ["a.md", "b.md"]]);
  });

  test("while one process syncs, another gets busy", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron");
    const directory = projectDirectory(project.machine);
    using _lock = await acquireLock({ directory, name: "documents", purpose: "syncing documents" });
    await expect(project.sync()).rejects.toMatchObject({ code: "busy" });
  });

  test("an aborted sync keeps what it committed and continues next time", async () => {
    await using project = documentsProject(WORDS_ONLY);
    for (let number = 0; number < 30; number += 1) {
      project.write(`docs/${number}.md`, `heron ${number}\n\n${"word ".repeat(40_000)}`);
    }
    const controller = new AbortController();
    let committed = 0;
    const progress = {
      note: () => {},
      report: ({ done }: { done: number }) => {
        committed = done;
        if (done > 0) controller.abort();
      },
    };
    const call = testCall({ signal: controller.signal, progress });
    await expect(project.call("documents_sync", {}, call)).rejects.toThrow();
    const kept = (await project.search("heron", { limit: 100 })).length;
    const [report] = await project.sync();
    expect([kept >= committed, committed > 0, report && counts(report).written]).toEqual([
      true,
      true,
      30 - kept,
    ]);
  });

  test("progress as JSON lines", async () => {
    await using project = documentsProject(WORDS_ONLY);
    project.write("docs/a.md", "heron");
    const lines: unknown[] = [];
    const progress = { report: () => {}, note: (line: string) => void lines.push(JSON.parse(line)) };
    await project.call("documents_sync", { progress: "json" }, testCall({ progress }));
    expect(lines).toEqual([
      { event: "progress", connector: "filesystem:docs", phase: "discovering", n: 0, total: null },
      { event: "progress", connector: "filesystem:docs", phase: "ingesting", n: 0, total: 1 },
      { event: "progress", connector: "filesystem:docs", phase: "ingesting", n: 1, total: 1 },
    ]);
  });

  test("a slow source is committed and reported every few seconds", async () => {
    let seconds = 1_767_225_600;
    const now = () => {
      seconds += 2;
      return new Date(seconds * 1_000);
    };
    await using project = documentsProject(WORDS_ONLY, { now });
    for (const name of ["a", "b", "c"]) project.write(`docs/${name}.md`, "heron");
    const steps: number[] = [];
    const progress = { note: () => {}, report: ({ done }: { done: number }) => void steps.push(done) };
    await project.call("documents_sync", {}, testCall({ progress }));
    expect(steps).toEqual([0, 0, 1, 2, 3, 3]);
  });

  test("a failure of a scheduled sync is logged", async () => {
    const logged: string[] = [];
    const logger = { ...silentLogger, warn: (line: string) => void logged.push(line) };
    await using project = documentsProject({ ...WORDS_ONLY, server: { sync_every: "1h" } }, { logger });
    const controller = new AbortController();
    project.door.startBackground?.(controller.signal);
    const told = "the scheduled sync of filesystem:docs: filesystem:docs: root directory does not exist";
    await expect.poll(() => logged, { timeout: 30_000 }).toEqual([told]);
    controller.abort();
  });

  test("a server syncs on its schedule until it ends", async () => {
    await using project = documentsProject({ ...WORDS_ONLY, server: { sync_every: "1h" } });
    project.write("docs/a.md", "heron");
    const controller = new AbortController();
    project.door.startBackground?.(controller.signal);
    await expect.poll(() => project.found("heron"), { timeout: 30_000 }).toEqual(["a.md"]);
    controller.abort();
  });
});

describe("search by meaning", () => {
  test("semantic and hybrid search find what keyword search misses, with scores from 0 to 1", async () => {
    await using project = documentsProject(FILES);
    project.write("docs/cars.md", "An automobile has an engine and four wheels.");
    project.write("docs/birds.md", "A heron is a tall grey bird that eats fish.");
    project.write("docs/tax.md", "Invoices must be kept for seven years.");
    await project.sync();
    const first = async (mode: string) => (await project.search("vehicle motor", { mode }))[0];
    const semantic = await first("semantic");
    const hybrid = await first("hybrid");
    expect([
      await project.found("vehicle motor"),
      semantic?.source_id,
      semantic?.score,
      hybrid?.source_id,
    ]).toEqual([[], "cars.md", 1, "cars.md"]);
    const scores = (await project.search("vehicle", { mode: "hybrid" })).map(({ score }) => score);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test("before the first sync every mode finds nothing", async () => {
    await using project = documentsProject(FILES);
    expect([
      await project.search("x", { mode: "semantic" }),
      await project.search("x", { mode: "hybrid" }),
    ]).toEqual([[], []]);
    project.write("docs/.keep", "");
    await project.sync();
    expect([
      await project.search("x", { mode: "semantic" }),
      await project.search("x", { mode: "hybrid" }),
    ]).toEqual([[], []]);
  });
});

test("nothing is written into the project", async () => {
  await using project = documentsProject(WORDS_ONLY);
  project.write("docs/a.md", "heron");
  await project.sync();
  await project.search("heron");
  expect(readdirSync(project.root, { recursive: true }).sort()).toEqual(["docs", join("docs", "a.md")]);
});
