import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const directory = tempDir();
const root = join(directory.path, "project");
const home = join(directory.path, "home");
const env = {
  PATH: process.env["PATH"],
  CONTEXTFUL_HOME: home,
  CONTEXTFUL_CONFIG: join(directory.path, "config"),
};
let binary: string;

beforeAll(async () => {
  binary = await builtBinary();
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(
    join(root, "contextful.toml"),
    '[embedding]\nprovider = "disabled"\n[connectors.filesystem.docs]\nroot = "docs"\ninclude = ["**"]\n',
  );
  writeFileSync(join(root, "docs", "birds.md"), "# Birds\n\nThe heron is tall.\n");
  const document = "<w:document><w:p><w:r><w:t>The bittern hides.</w:t></w:r></w:p></w:document>";
  writeFileSync(join(root, "docs", "reeds.docx"), zipSync({ "word/document.xml": strToU8(document) }));
  writeFileSync(join(root, "docs", "page.html"), "<title>Page</title><p>The stork nests.</p>");
  writeFileSync(join(root, "docs", "broken.pdf"), "%PDF-1.7 nothing here");
});
afterAll(() => directory[Symbol.dispose]());

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [binary, "documents", ...args, "--root", root],
    {
      env,
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr };
};

describe("the command line", () => {
  test("sync reads every format in a worker thread and reports what it skipped", () => {
    const { status, stdout } = run("sync");
    expect([status, stdout]).toEqual([0, expect.stringContaining("upserted documents: 3")]);
    expect(stdout).toContain("skipped broken.pdf: not a readable PDF");
    expect(stdout.trimEnd().endsWith("ok")).toBe(true);
  });

  test("search, get, sources, stats and export answer for people and as JSON", () => {
    const found = JSON.parse(run("search", "bittern", "--json").stdout);
    const [hit] = found.results;
    expect(hit).toMatchObject({ source: "filesystem:docs", source_id: "reeds.docx", score: 1 });
    expect(run("search", "heron").stdout).toContain("1. [1.00] birds.md");
    expect(run("get", hit.id).stdout).toContain("The bittern hides.");
    expect(run("sources").stdout).toContain("filesystem:docs  root: docs; last sync ");
    expect(run("stats").stdout).toContain("documents: 3");
    expect(
      JSON.parse(run("export").stdout).documents.map((each: { source_id: string }) => each.source_id),
    ).toEqual(["birds.md", "page.html", "reeds.docx"]);
  });

  test("missing documents and wrong input have their exit codes", () => {
    const codes = [
      run("get", "11111111-1111-4111-8111-111111111111"),
      run("search", "x", "--mode", "semantic"),
      run("sync", "s3"),
      run("search", "  "),
    ].map(({ status, stderr }) => [status, stderr === ""]);
    expect(codes).toEqual([
      [3, false],
      [2, false],
      [2, false],
      [0, true],
    ]);
  });

  test("--explain shows how each score came about", () => {
    const [hit] = JSON.parse(run("search", "heron", "--explain", "--json").stdout).results;
    expect(hit.explanation).toEqual({
      keyword_score: 1,
      semantic_score: 0,
      alpha: 0,
      keyword_candidates: 1,
      vector_candidates: 0,
    });
  });
});

/** `structuredContent` and the same value as text. */
const carried = (value: unknown) => ({
  structuredContent: value,
  content: [{ type: "text", text: JSON.stringify(value) }],
});

describe("over MCP", () => {
  test("the three tools answer the contract's bodies, by either name, and its error object", async () => {
    await using client = startClient(binary, {
      args: ["mcp", "--root", root],
      env: env as Record<string, string>,
    });
    await client.initialize();
    const call = async (name: string, input: unknown) => {
      const { result } = await client.callTool(name, input);
      // The expectations below check the shape.
      return result as {
        structuredContent?: { results: { id: string }[] };
        content: { text: string }[];
        isError?: boolean;
      };
    };
    const found = await call("context.search", { query: "heron" });
    const [hit] = found.structuredContent?.results ?? [];
    // On a busy machine a notice may follow: the files were not compared in time.
    expect({ ...found, content: found.content.slice(0, 1) }).toMatchObject(carried(found.structuredContent));
    expect(await call("documents_get", { id: hit?.id })).toMatchObject({
      structuredContent: { source_id: "birds.md" },
    });
    expect(await call("documents_sources", {})).toMatchObject({
      structuredContent: { sources: [{ name: "filesystem:docs", configured: true, healthy: true }] },
    });
    const failures = [
      await call("context.get", { id: "none" }),
      await call("context.search", { query: "x", mode: "hybrid" }),
      await call("context.search", { query: " " }),
      await call("context.search", {}),
      await call("context.get", { id: "" }),
    ].map(({ isError, content }) => [isError, JSON.parse(content[0]?.text ?? "{}")]);
    const error = (code: string) => [true, { error: { code, message: expect.any(String) } }];
    expect(failures).toEqual([
      error("not_found"),
      error("embeddings_disabled"),
      error("bad_request"),
      error("bad_request"),
      error("bad_request"),
    ]);
  });
});

describe("kill −9", () => {
  test("acknowledged documents are found afterwards, and the next sync does the rest", async () => {
    const place = join(directory.path, "killed");
    mkdirSync(join(place, "docs"), { recursive: true });
    writeFileSync(join(place, "contextful.toml"), '[connectors.filesystem.docs]\nroot = "docs"\n');
    const total = 300;
    for (let number = 0; number < total; number += 1) {
      writeFileSync(
        join(place, "docs", `${number}.md`),
        `heron ${number}\n\n${"some more words here ".repeat(800)}`,
      );
    }
    const acknowledged = await killWhenPartlyDone(place);
    const stats = () =>
      JSON.parse(
        spawnSync(process.execPath, [binary, "documents", "stats", "--json", "--root", place], {
          env,
          encoding: "utf8",
        }).stdout,
      );
    const kept = stats().documents;
    const again = spawnSync(process.execPath, [binary, "documents", "sync", "--root", place], {
      env,
      encoding: "utf8",
    });
    expect([acknowledged > 0, kept >= acknowledged, again.status, stats().documents]).toEqual([
      true,
      true,
      0,
      total,
    ]);
  });
});

/** Kills the sync after its first acknowledgement; returns how much was acknowledged. */
function killWhenPartlyDone(place: string): Promise<number> {
  const args = [binary, "documents", "sync", "--progress", "json", "--root", place];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  let acknowledged = 0;
  child.stderr.on("data", (chunk) => {
    said += chunk;
    const steps = said.split("\n").filter((line) => line.includes('"ingesting"'));
    acknowledged = Math.max(0, ...steps.slice(0, -1).map((line) => JSON.parse(line).n ?? 0));
    if (acknowledged > 0) child.kill("SIGKILL");
  });
  return new Promise((settle) => child.on("close", () => settle(acknowledged)));
}
