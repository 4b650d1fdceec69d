import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse as parseToml } from "smol-toml";
import { afterAll, describe, expect, test } from "vitest";
import { removeJsonEntry, setJsonEntry } from "../../src/capabilities/clients/edit/json-edit.ts";
import { readJsonc } from "../../src/capabilities/clients/edit/json-text.ts";
import { readToml, removeTomlEntry, setTomlEntry } from "../../src/capabilities/clients/edit/toml-edit.ts";
import { parseContext, parseYaml } from "../../src/capabilities/directory-contexts/read/read-context.ts";
import { parseDecision } from "../../src/capabilities/team-memory/entries/decision-file.ts";
import { checkSkillFile, readSkillHead } from "../../src/capabilities/team-memory/entries/skill-file.ts";
import { mergeFile } from "../../src/capabilities/team-memory/merge/file-merge.ts";
import { restoreRedacted } from "../../src/capabilities/team-memory/merge/restore-redacted.ts";
import { loadConfig } from "../../src/core/config/load.ts";
import { DomainError } from "../../src/core/errors.ts";
import { encodePostings, findInBucket, termsInBucket } from "../../src/core/search/postings/postings.ts";
import { tempDir } from "../support/temp-dir.ts";

/** More cases: `ATTACK_RUNS=100000 PROPERTY_SEED=random npm run check:attack`. */
const numRuns = Number(process.env["ATTACK_RUNS"] ?? 2_000);
const ENTRY = { command: "contextful", args: ["mcp"] };
const PATH = ["mcpServers", "contextful"];

/** Pieces of a format in any order, mixed with any text: it gets further into a parser than random text does. */
const textOf = (...pieces: readonly string[]) =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        fc.string({ unit: "binary", maxLength: 8 }),
      ),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join(""));
const toml = textOf(
  "[",
  "]",
  "[[",
  "mcpServers",
  ".contextful",
  "=",
  '"',
  "'''",
  '"""',
  "\n",
  "\r\n",
  "#",
  "{",
  "}",
  ",",
  "1e9",
  "1979-05-27",
  "\\u",
  "memory",
  "a.b",
);
const json = textOf(
  "{",
  "}",
  "[",
  "]",
  '"mcpServers"',
  '"contextful"',
  ":",
  ",",
  "//",
  "/*",
  "*/",
  "\n",
  "\r\n",
  "1",
  "null",
  '"\\u',
  '"',
  " ",
);
const yaml = textOf(
  "---\n",
  "- ",
  ": ",
  "\n",
  "  ",
  "&a ",
  "*a",
  "!!",
  "{",
  "}",
  "[",
  "]",
  "|\n",
  ">\n",
  "? ",
  "#",
  "'",
  '"',
  "purpose",
  "name",
  "description",
  "<<: ",
  "\t",
);
const markdown = textOf(
  "## A\n",
  "## B\n",
  "# ",
  "\n",
  "text",
  "```\n",
  "<<<<<<<",
  "=======",
  ">>>>>>>",
  "- ",
  "\r\n",
  "---\n",
  '{"id":1}\n',
  "{}",
  "[redacted: password]",
  "password: ",
);
const paths = fc.constantFrom(
  "knowledge/a.md",
  "preferences/team.json",
  "knowledge/.meta.json",
  "history/sessions.ndjson",
  "other.txt",
);

const refusedByName = async (work: () => unknown) => {
  try {
    await work();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(DomainError);
  }
};

describe("parsers of foreign texts give a value or a named refusal, whatever they read", () => {
  const dir = tempDir();
  afterAll(() => dir[Symbol.dispose]());

  test("a project's configuration", async () => {
    mkdirSync(join(dir.path, "home"));
    await fc.assert(
      fc.asyncProperty(toml, async (text) => {
        writeFileSync(join(dir.path, "contextful.toml"), text);
        await refusedByName(() => loadConfig({ root: dir.path, env: { HOME: join(dir.path, "home") } }));
      }),
      { numRuns },
    );
  });

  test("YAML of contexts, heads of skills, decisions, and nothing of it is printed", async () => {
    const warnings: unknown[] = [];
    const keep = (warning: Error) => void warnings.push(warning.message);
    process.on("warning", keep);
    await fc.assert(
      fc.asyncProperty(yaml, async (text) => {
        const read = parseYaml(text);
        expect("value" in read || "reason" in read).toBe(true);
        expect(parseContext(text)).toHaveProperty("kind");
        expect(await readSkillHead(`---\n${text}\n---\nbody`)).toHaveProperty("description");
        await refusedByName(() => checkSkillFile(`---\n${text}\n---\nbody`, "name"));
        expect(parseDecision(text)).toBeTypeOf("object");
      }),
      { numRuns },
    );
    process.off("warning", keep);
    expect(warnings).toEqual([]);
  });

  test("edits of a client's file add our entry alone and take it out again, or refuse", () => {
    fc.assert(
      fc.property(json, toml, (jsonText, tomlText) => {
        const inJson = setJsonEntry(jsonText, PATH, ENTRY);
        if ("text" in inJson) {
          expect(readJsonc(inJson.text)).toMatchObject({ value: { mcpServers: { contextful: ENTRY } } });
          expect(removeJsonEntry(inJson.text, PATH)).toBeTypeOf("object");
        }
        const inToml = setTomlEntry(tomlText, PATH, ENTRY);
        if ("text" in inToml) {
          expect(parseToml(inToml.text)).toMatchObject({ mcpServers: { contextful: ENTRY } });
          expect(readToml(tomlText)).not.toHaveProperty("refused");
          expect(removeTomlEntry(inToml.text, PATH)).toBeTypeOf("object");
        }
      }),
      { numRuns },
    );
  });

  test("merges: one changed side wins, and the same change on both sides is no conflict", () => {
    const version = fc.option(markdown, { nil: undefined });
    fc.assert(
      fc.property(
        paths,
        version,
        version,
        version,
        fc.constantFrom("ours", "theirs", "marked"),
        (path, base, ours, theirs, inConflict) => {
          const merged = mergeFile(path, { base, ours, theirs }, inConflict);
          expect(merged.text === undefined || typeof merged.text === "string").toBe(true);
          expect(mergeFile(path, { base, ours, theirs: base }, inConflict)).toEqual({ text: ours });
          expect(mergeFile(path, { base, ours: base, theirs }, inConflict)).toEqual({ text: theirs });
          expect(mergeFile(path, { base, ours, theirs: ours }, inConflict)).toEqual({ text: ours });
          const sides = [ours ?? "", theirs ?? ""];
          expect(restoreRedacted(base ?? "", { wholes: sides, sides })).toBeTypeOf("object");
        },
      ),
      { numRuns },
    );
  });
});

test("a damaged bucket is searched to its end, in little memory", () => {
  const { postings } = encodePostings([
    { term: "alpha", postings: [8, 264, 65_800] },
    { term: "beta", postings: [9] },
  ]);
  const damaged = fc
    .array(fc.tuple(fc.nat(postings.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((edits) => {
      const copy = Uint8Array.from(postings);
      for (const [at, value] of edits) copy[at] = value;
      return copy;
    });
  const name = new TextEncoder().encode("beta");
  // A length whose fifth byte makes it negative as a signed number.
  expect(findInBucket(Uint8Array.of(255, 255, 255, 255, 15, 0, 0), name).length).toBe(0);
  // A count of four thousand million postings.
  const many = Uint8Array.of(4, 98, 101, 116, 97, 255, 255, 255, 255, 15, 2, 1, 1);
  expect(findInBucket(many, name).length).toBeLessThan(10);
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 500 }), damaged), (bucket) => {
      expect(findInBucket(bucket, name).length).toBeLessThanOrEqual(bucket.length);
      expect(termsInBucket(bucket).length).toBeLessThanOrEqual(bucket.length);
    }),
    { numRuns },
  );
});
