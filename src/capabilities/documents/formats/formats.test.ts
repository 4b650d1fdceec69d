import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { extract } from "./extract.ts";
import { openExtractor } from "./extractor.ts";
import { formatOfMediaType, formatOfPath, mediaTypeOf } from "./format.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

/** A one-page PDF, written by hand. */
function pdf(lines: readonly string[], info = "/Author (Ada)"): Uint8Array {
  const content = `BT /F1 12 Tf 72 720 Td 14 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< ${info} >>`,
  ];
  let out = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  return utf8(
    `${out}${table}trailer << /Size ${size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${out.length}\n%%EOF\n`,
  );
}

test("the format follows the extension, in any case, or the media type", () => {
  expect(["a.MD", "b.txt", "c.htm", "d.PDF", "e.ipynb", "noext", ".hidden"].map(formatOfPath)).toEqual([
    "markdown",
    "text",
    "html",
    "pdf",
    "notebook",
    "text",
    "text",
  ]);
  expect(
    ["text/html; charset=utf-8", "text/x-rst", "image/png", "application/json"].map(formatOfMediaType),
  ).toEqual(["html", "text", undefined, "text"]);
  expect([mediaTypeOf("markdown"), mediaTypeOf("pdf")]).toEqual(["text/plain", "application/pdf"]);
});

test.each([
  ["Quick *start*\n=============\n\nText\n----\n", "Quick *start*"],
  [".. _start:\n\n====\nGuide\n====\n\nText", "Guide"],
  ["Text without a heading.\n\n  - a\n  ---\n", undefined],
])("the title of reStructuredText is its first underlined line: %j", async (text, title) => {
  const read = await extract({ format: formatOfPath("docs/index.rst"), bytes: utf8(text) });
  expect(read).toEqual({ body: text, ...(title !== undefined && { title }) });
});

describe("Markdown", () => {
  test("front matter gives title, author, tags and dates, and stays in the body", async () => {
    const text =
      "---\ntitle: Runbook\nauthor: Ada\ntags: [ops, Prod]\ndate: 2026-01-02\nupdated: 2026-02-03T04:05:06Z\nlevel: 3\n---\n# Hi\n";
    expect(await extract({ format: "markdown", bytes: utf8(text) })).toEqual({
      body: text,
      title: "Runbook",
      author: "Ada",
      tags: ["ops", "Prod"],
      createdAt: 1767312000,
      updatedAt: 1770091506,
      metadata: {
        title: "Runbook",
        author: "Ada",
        tags: ["ops", "Prod"],
        date: "2026-01-02",
        updated: "2026-02-03T04:05:06Z",
        level: 3,
      },
    });
  });

  test.each([
    ["a rule at the head", "---\n\nno yaml: here: there\n\n---\ntext"],
    [
      "an alias bomb",
      `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n---\ntext`,
    ],
    ["a list", "---\n- a\n- b\n---\ntext"],
    ["no end", "---\ntitle: x\ntext"],
  ])("%s is normal text", async (_name, text) => {
    expect(await extract({ format: "markdown", bytes: utf8(text) })).toEqual({ body: text });
  });

  test("no key of front matter reaches a prototype", async () => {
    const text = "---\n__proto__:\n  polluted: yes\ntitle: T\n---\n";
    const extracted = await extract({ format: "markdown", bytes: utf8(text) });
    expect(extracted).toEqual({ body: text, title: "T", metadata: { title: "T" } });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

describe("text", () => {
  const read = (bytes: Uint8Array) => extract({ format: "text", bytes });
  test("UTF-8 with and without a mark, and UTF-16 with one, are read", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("héllo", "utf16le")]);
    expect(await Promise.all([read(utf8("héllo")), read(utf8("\uFEFFhéllo")), read(utf16)])).toEqual([
      { body: "héllo" },
      { body: "héllo" },
      { body: "héllo" },
    ]);
  });
  test.each([
    ["invalid UTF-8", Uint8Array.of(0x61, 0xff, 0xfe, 0x62)],
    ["a NUL byte", Uint8Array.of(0x61, 0, 0x62)],
    ["a cut character", Uint8Array.of(0xe2, 0x82)],
  ])("%s is refused", async (_name, bytes) => {
    expect(await read(bytes)).toEqual({ unreadable: "not text: neither UTF-8 nor UTF-16" });
  });
});

describe("HTML", () => {
  const read = (html: string) => extract({ format: "html", bytes: utf8(html) });

  test("readable text keeps its structure", async () => {
    const html = `<!doctype html><html><head><title>Guide &amp; more</title><meta name="author" content="Ada">
      <style>p{}</style><script>alert("x")</script></head><body><nav><a href="/">Home</a></nav>
      <main><h1>Install</h1><p>Run   this <b>now</b>:</p><pre>a &lt;  b
  c</pre><ul><li>one</li><li>two</li></ul><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table></main>
      <footer>(c) us</footer></body></html>`;
    expect(await read(html)).toEqual({
      title: "Guide & more",
      author: "Ada",
      body: "# Install\n\nRun this now:\n\n```\na <  b\n  c\n```\n\n- one\n- two\n\nk | v\n1 | 2",
    });
  });

  test("a page without <main> is read without navigation", async () => {
    expect(await read("<header>Top</header><h2>Part</h2>text<br>more<footer>End</footer>")).toEqual({
      body: "## Part\n\ntext\nmore",
    });
  });

  test("an encoding the page declares is used", async () => {
    const bytes = Buffer.concat([Buffer.from('<meta charset="iso-8859-1"><p>caf'), Buffer.from([0xe9])]);
    expect(await extract({ format: "html", bytes })).toEqual({ body: "café" });
  });

  test("an encoding that the server names is used", async () => {
    const bytes = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);
    const read = (format: "html" | "text") =>
      extract({ format, bytes, mediaType: "text/x; charset=iso-8859-1" });
    expect([await read("html"), await read("text")]).toEqual([{ body: "café" }, { body: "café" }]);
  });

  test("a form is left out, unless it is the whole page", async () => {
    expect([
      await read("<p>Text</p><form>Search</form>"),
      await read("<form><nav>Home</nav><main><p>Text</p><script>x</script></main></form>"),
    ]).toEqual([{ body: "Text" }, { body: "Text" }]);
  });

  test("a hundred thousand open elements are refused at once", async () => {
    const extracted = await read(`${"<div>".repeat(100_000)}deep`);
    expect(extracted).toEqual({ unreadable: "broken: nested deeper than any page is" });
  });
});

test("an HTML page without a title is named by its first heading", async () => {
  const html = "<body><h1>Moving <b>day</b></h1><p>Boxes.</p><h1>Other</h1></body>";
  expect(await extract({ format: "html", bytes: utf8(html) })).toMatchObject({ title: "Moving day" });
});

describe("PDF", () => {
  test("the lines of a page are read", async () => {
    expect(await extract({ format: "pdf", bytes: pdf(["Hello world", "the second line"]) })).toEqual({
      body: "Hello world\nthe second line",
      author: "Ada",
    });
  });

  test("its own title is used, but not the name of the file it was printed from", async () => {
    const titles = ["Deploying to ports", "Microsoft Word - deploy_v2.docx", "deploy.tex", "untitled", "  "];
    const read = titles.map((title) =>
      extract({ format: "pdf", bytes: pdf(["Hello"], `/Title (${title})`) }),
    );
    expect(await Promise.all(read)).toEqual([
      { body: "Hello", title: "Deploying to ports" },
      ...titles.slice(1).map(() => ({ body: "Hello" })),
    ]);
  });

  test.each([
    ["garbage", utf8("%PDF-1.4 garbage")],
    ["nothing", new Uint8Array()],
    ["half a file", pdf(["Hello world"]).slice(0, 300)],
    ["a page without text", pdf([])],
  ])("%s is reported", async (_name, bytes) => {
    expect(await extract({ format: "pdf", bytes })).toEqual({ unreadable: expect.stringMatching(/PDF/) });
  });
});

const relations = (...targets: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join("")}</Relationships>`;
const PROPERTIES = `<cp:coreProperties xmlns:dc="x" xmlns:dcterms="y"><dc:title>Plan</dc:title><dc:creator>Ada</dc:creator><dcterms:modified>2026-01-02T03:04:05Z</dcterms:modified></cp:coreProperties>`;

describe("office files", () => {
  test("Word: paragraphs, runs, headings and tables", async () => {
    const paragraph = (text: string, style = "") =>
      `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${text}</w:p>`;
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`;
    const document = `<w:document><w:body>${paragraph(run("Overview"), "Heading1")}${paragraph([run("Two "), run("runs &amp; a"), "<w:r><w:tab/></w:r>", run("tab")].join(""))}<w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr><w:tr>${cell("1")}${cell("2")}</w:tr></w:tbl>${paragraph(run("End"))}</w:body></w:document>`;
    const bytes = zip({ "word/document.xml": document, "docProps/core.xml": PROPERTIES });
    expect(await extract({ format: "docx", bytes })).toEqual({
      body: "# Overview\n\nTwo runs & a\ttab\n\na | b\n1 | 2\n\nEnd",
      title: "Plan",
      author: "Ada",
      updatedAt: 1767323045,
    });
  });

  test("PowerPoint: slides in the order of their numbers, with notes", async () => {
    const slide = (...lines: string[]) =>
      `<p:sld>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("")}</p:sld>`;
    const bytes = zip({
      "ppt/slides/slide10.xml": slide("Last"),
      "ppt/slides/slide2.xml": slide("Second", "line"),
      "ppt/slides/slide1.xml": slide("First"),
      "ppt/slides/_rels/slide2.xml.rels": relations(["rId2", "notesSlide", "../notesSlides/notesSlide1.xml"]),
      "ppt/notesSlides/notesSlide1.xml": slide("say hello", "2"),
    });
    expect(await extract({ format: "pptx", bytes })).toEqual({
      body: "## Slide 1\n\nFirst\n\n## Slide 2\n\nSecond\nline\n\nNotes: say hello\n\n## Slide 10\n\nLast",
    });
  });

  test("Word: of alternative contents only the first is read", async () => {
    const text = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
    const document = `<w:document><mc:AlternateContent><mc:Choice>${text("box")}</mc:Choice><mc:Fallback>${text("box")}</mc:Fallback></mc:AlternateContent>${text("End")}</w:document>`;
    expect(await extract({ format: "docx", bytes: zip({ "word/document.xml": document }) })).toEqual({
      body: "box\n\nEnd",
    });
  });

  test("Excel: shared and inline text, numbers, booleans and dates under the names of their sheets", async () => {
    const bytes = zip({
      "xl/workbook.xml": `<workbook><sheets><sheet name="Costs" r:id="rId1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": relations(["rId1", "worksheet", "worksheets/sheet1.xml"]),
      "xl/sharedStrings.xml": `<sst><si><t>Item</t></si><si><r><t>Rich </t></r><r><t>text</t></r></si></sst>`,
      "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c><v>12.5</v></c><c t="b"><v>1</v></c><c t="inlineStr"><is><t>in line</t></is></c><c s="1"><v>46024</v></c></row></sheetData></worksheet>`,
    });
    expect(await extract({ format: "xlsx", bytes })).toEqual({
      body: "## Costs\n\nItem | Rich text\n12.5 | TRUE | in line | 2026-01-02",
    });
  });

  test("Excel: sheets follow the workbook's relations, cells their columns; phonetic hints are left out", async () => {
    const sheet = (cells: string) => `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`;
    const bytes = zip({
      "xl/workbook.xml": `<workbook><sheets><sheet name="First" r:id="a"/><sheet name="Second" r:id="b"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": relations(
        ["a", "worksheet", "/xl/worksheets/sheet2.xml"],
        ["b", "worksheet", "worksheets/sheet1.xml"],
      ),
      "xl/sharedStrings.xml": `<sst><si><t>東京</t><rPh><t>トウキョウ</t></rPh></si></sst>`,
      "xl/worksheets/sheet1.xml": sheet(`<c r="A1" t="s"><v>0</v></c>`),
      "xl/worksheets/sheet2.xml": sheet(`<c r="A1"><v>1</v></c><c r="C1"><v>3</v></c>`),
    });
    expect(await extract({ format: "xlsx", bytes })).toEqual({
      body: "## First\n\n1 |  | 3\n\n## Second\n\n東京",
    });
  });

  test.each(["docx", "pptx", "xlsx"] as const)("a broken or foreign %s is reported", async (format) => {
    const read = (bytes: Uint8Array) => extract({ format, bytes });
    expect(
      await Promise.all([read(utf8("PK nonsense")), read(new Uint8Array()), read(zip({ "a.txt": "x" }))]),
    ).toEqual(Array.from({ length: 3 }, () => ({ unreadable: expect.any(String) })));
  });

  test("a zip bomb is refused before it is unpacked, also one with a false size", async () => {
    const bomb = zipSync({ "word/document.xml": new Uint8Array(5_000_000) }, { level: 9 });
    const liar = Buffer.from(zipSync({ "word/document.xml": new Uint8Array(2_000_000) }, { level: 9 }));
    const directory = liar.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    liar.writeUInt32LE(1_000, directory + 24);
    liar.writeUInt32LE(1_000, 22);
    expect(await extract({ format: "docx", bytes: bomb })).toEqual({
      unreadable: "unpacks to far more than an office file holds",
    });
    const extracted = await extract({ format: "docx", bytes: liar });
    expect("body" in extracted ? extracted.body.length : 0).toBeLessThanOrEqual(1_000);
  });

  test("an external entity is not fetched and a billion laughs do not expand", async () => {
    const document = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY f SYSTEM "file:///etc/passwd">]><w:p><w:t>&a;&f;</w:t></w:p>`;
    const extracted = await extract({ format: "docx", bytes: zip({ "word/document.xml": document }) });
    expect("body" in extracted && extracted.body.includes("root:")).toBe(false);
  });
});

describe("notebooks", () => {
  test("prose, code and the text of outputs are read", async () => {
    const notebook = {
      nbformat: 4,
      metadata: { language_info: { name: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "words"] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [{ text: ["1\n"] }, { data: { "image/png": "AAAA" } }],
        },
        { cell_type: "code", source: [] },
      ],
    };
    expect(await extract({ format: "notebook", bytes: utf8(JSON.stringify(notebook)) })).toEqual({
      body: "# Title\nwords\n\n```python\nprint(1)\n```\n\n```output\n1\n```",
    });
  });

  test("a notebook with any metadata is read", async () => {
    const cells = [{ cell_type: "markdown", source: "words" }];
    const read = (metadata: unknown) =>
      extract({ format: "notebook", bytes: utf8(JSON.stringify({ cells, metadata })) });
    const odd = { title: 7, language_info: { version: "3" }, authors: "Ada" };
    expect([await read(odd), await read(null)]).toEqual([{ body: "words" }, { body: "words" }]);
  });

  test.each(["{}", "[1", '{"cells": 7}', ""])("%j is reported", async (text) => {
    expect(await extract({ format: "notebook", bytes: utf8(text) })).toEqual({
      unreadable: expect.any(String),
    });
  });
});

test("an extractor answers in order", async () => {
  const extractor = openExtractor();
  const answers = await Promise.all(
    ["one", "two", "three"].map((text) => extractor.extract({ format: "html", bytes: utf8(`<p>${text}`) })),
  );
  await extractor.close();
  expect(answers).toEqual([{ body: "one" }, { body: "two" }, { body: "three" }]);
});

test("a reader that hangs or dies loses only its file", async () => {
  // Replaces a parser that reads a hostile file: the first byte says what it does.
  const source = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ bytes }) => {
      if (bytes[0] === 1) for (;;);
      if (bytes[0] === 2) process.exit(1);
      parentPort.postMessage({ body: "read" });
    });`;
  const worker = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const extractor = openExtractor({ deadlineMs: 3_000, worker });
  const answers = await Promise.all(
    [0, 1, 0, 2, 0].map((first) => extractor.extract({ format: "pdf", bytes: Uint8Array.of(first) })),
  );
  await extractor.close();
  const read = { body: "read" };
  expect(answers).toEqual([
    read,
    { unreadable: "took longer than 3 s to read" },
    read,
    { unreadable: "its reader ended" },
    read,
  ]);
});
