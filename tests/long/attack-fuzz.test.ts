import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extract } from "../../src/capabilities/documents/formats/extract.ts";
import type { Format } from "../../src/capabilities/documents/formats/format.ts";
import { readFrontMatter } from "../../src/capabilities/documents/formats/front-matter.ts";
import { DomainError } from "../../src/core/errors.ts";
import { redactSecrets, stripInvisible } from "../../src/core/hygiene/index.ts";
import { parseGitignore } from "../../src/core/scan/gitignore.ts";
import { compileGlob } from "../../src/core/scan/glob.ts";
import { decodeText } from "../../src/core/scan/read-text.ts";
import { PackedStrings, packStrings } from "../../src/core/search/postings/packed-strings.ts";
import { encodePostings, readBucket } from "../../src/core/search/postings/postings.ts";
import { packColumn, unpackColumn } from "../../src/core/search/segments/columns.ts";
import { parseQuery } from "../../src/core/search/text/query.ts";
import { readMessage } from "../../src/surfaces/mcp/message.ts";

/** More cases: `ATTACK_RUNS=100000 PROPERTY_SEED=random npm run check:attack`. */
const numRuns = Number(process.env["ATTACK_RUNS"] ?? 2_000);
const bytes = fc.uint8Array({ maxLength: 2_000 });
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 500 }), fc.string({ maxLength: 500 }));

/** A valid sample with a few bytes changed, which gets further into a parser than random bytes do. */
const changed = (sample: Uint8Array) =>
  fc
    .array(fc.tuple(fc.nat(Math.max(0, sample.length - 1)), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((edits) => {
      const copy = Uint8Array.from(sample);
      for (const [at, value] of edits) copy[at] = value;
      return copy;
    });
const utf8 = (content: string) => new TextEncoder().encode(content);

const SAMPLES: Readonly<Record<Format, Uint8Array>> = {
  text: utf8("plain words"),
  markdown: utf8("---\ntitle: A\ntags: [a, b]\ndate: 2024-01-01\n---\n# A\n\n```js\n1\n```\n"),
  rst: utf8("Guide\n=====\n\nText\n"),
  api: utf8("/** Adds. */\nexport declare function add(a: number): number;\n"),
  html: utf8(
    '<html><head><meta charset="utf-8"><title>A</title></head><body><p>x<table><tr><td>1</table></body>',
  ),
  pdf: utf8(
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>",
  ),
  docx: zipped("word/document.xml", "<w:document><w:body><w:p><w:t>x</w:t></w:p></w:body></w:document>"),
  pptx: zipped("ppt/slides/slide1.xml", "<p:sld><a:p><a:t>x</a:t></a:p></p:sld>"),
  xlsx: zipped(
    "xl/worksheets/sheet1.xml",
    "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>",
  ),
  notebook: utf8('{"cells":[{"cell_type":"code","source":["1"]}],"metadata":{}}'),
};
const formats = fc.constantFrom(
  ...(["text", "markdown", "html", "docx", "pptx", "xlsx", "notebook"] as const),
);

describe("parsers of foreign bytes give a value, whatever they read", () => {
  test("lines of the protocol", () => {
    const sample = utf8(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}',
    );
    fc.assert(
      fc.property(fc.oneof(bytes, changed(sample)), (line) => {
        const read = readMessage(line);
        expect(read === undefined || "message" in read || "refusal" in read).toBe(true);
      }),
      { numRuns },
    );
  });

  test("documents of every format but PDF", async () => {
    const cases = formats.chain((format) =>
      fc.oneof(bytes, changed(SAMPLES[format])).map((content) => ({ format, content })),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ format, content }) => {
        const found = await extract({ format, bytes: content });
        expect("unreadable" in found || typeof found.body === "string").toBe(true);
      }),
      { numRuns },
    );
  });

  test("PDF documents", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, changed(SAMPLES.pdf)), async (content) => {
        const found = await extract({ format: "pdf", bytes: content });
        expect("unreadable" in found || typeof found.body === "string").toBe(true);
      }),
      { numRuns: Math.ceil(numRuns / 20) },
    );
  });

  test("front matter, ignore rules, globs, queries, secrets and encodings", () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), bytes, (content, path, isDirectory, raw) => {
        expect(readFrontMatter(`---\n${content}\n---\n`)).toBeTypeOf("object");
        expect(["ignored", "included", undefined]).toContain(
          verdict(parseGitignore(content)(path, isDirectory)),
        );
        expect(globVerdict(content, path)).toBeTypeOf("boolean");
        expect(parseQuery(content).groups).toBeInstanceOf(Array);
        expect(redactSecrets(stripInvisible(content).text).text).toBeTypeOf("string");
        expect(decodeText(raw)).toBeTypeOf("object");
      }),
      { numRuns },
    );
  });
});

describe("a damaged index is read as wrong words or refused with an error, and never without end", () => {
  const endsWith = (read: () => unknown) => {
    try {
      read();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Error);
    }
  };
  test("postings", () => {
    const { postings } = encodePostings([
      { term: "alpha", postings: [8, 264, 65_800] },
      { term: "beta", postings: [9] },
    ]);
    fc.assert(
      fc.property(fc.oneof(bytes, changed(postings)), (bucket) => endsWith(() => readBucket(bucket))),
      { numRuns },
    );
  });
  test("packed texts and columns", () => {
    const strings = packStrings(["one", "two", "three"]);
    const column = packColumn(["a", 1, undefined, ["x", "y"]]);
    fc.assert(
      fc.property(fc.oneof(bytes, changed(strings)), fc.oneof(bytes, changed(column)), (packed, columns) => {
        endsWith(() => new PackedStrings(packed));
        endsWith(() => unpackColumn(columns));
      }),
      { numRuns },
    );
  });
});

/** A glob that cannot be used is refused by name; anything else thrown is a bug. */
function globVerdict(glob: string, path: string): boolean {
  try {
    return compileGlob(glob)(path);
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "invalid_input") return false;
    throw thrown;
  }
}

const verdict = (found: unknown) => (found === undefined || found === "ignored" ? found : "included");

/** A zip archive with one compressed member, without a checksum. */
function zipped(name: string, content: string): Uint8Array {
  const packed = deflateRawSync(content);
  const sizes = (buffer: Buffer, at: number) => {
    buffer.writeUInt32LE(packed.length, at);
    buffer.writeUInt32LE(content.length, at + 4);
    buffer.writeUInt16LE(name.length, at + 8);
  };
  const local = Buffer.alloc(30);
  local.write("PK\x03\x04", "latin1");
  local.writeUInt16LE(8, 8);
  sizes(local, 18);
  const central = Buffer.alloc(46);
  central.write("PK\x01\x02", "latin1");
  central.writeUInt16LE(8, 10);
  sizes(central, 20);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}
