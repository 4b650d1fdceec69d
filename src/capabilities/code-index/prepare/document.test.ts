import { expect, test } from "vitest";
import { loadLanguage } from "../../../core/parse/parse.ts";
import { clipText } from "../search/search-hit.ts";
import { splitLines } from "../store/stored-contents.ts";
import { fileSymbol } from "./chunk.ts";
import { chunkSource } from "./chunk-file.ts";
import { documentOf } from "./document.ts";
import { splitText } from "./split-text.ts";

const about = (path: string) => ({
  packageName: "",
  file: { id: 1, path, language: undefined, size: 0, ctimeMs: 0, importPath: "example.org/a" },
});

async function preparedChunks(path: string, text: string, language: "go" | "c" = "go") {
  const lines = splitLines(text);
  const { chunks } = chunkSource(path, lines, (await loadLanguage(language))(text));
  return documentOf({ ...about(path), lines, chunks }).chunks;
}

const bodiesOf = async (path: string, text: string) =>
  (await preparedChunks(path, text)).map(({ body, doc }) => ({ body, doc }));

test("text that is too long to show is still found", () => {
  const lines = [
    `${"word ".repeat(300)}quetzal`,
    ...Array.from({ length: 40 }, () => "a line of some length ".repeat(20)),
    "okapi",
  ];
  const pieces = splitText(lines, { startLine: 1, endLine: lines.length });
  const chunks = pieces.map((piece) => ({ ...piece, symbols: [fileSymbol("a.md", piece)] }));
  const bodies = documentOf({ ...about("a.md"), lines, chunks })
    .chunks.map(({ body }) => body)
    .join("\n");
  expect(bodies).toBe(lines.join("\n"));
  expect(clipText(lines)).not.toMatch(/quetzal|okapi/);
  expect(pieces.length).toBeGreaterThan(2);
});

test("the body has no doc comment, but it has the lines above the comment", async () => {
  const text = "package p\n\nvar (\n\t// A counts.\n\tA = 1\n)\n";
  expect(await bodiesOf("p.go", text)).toEqual([{ body: "var (\n\tA = 1", doc: "A counts." }]);
});

test("the body has the end of a comment that is too long for the doc", async () => {
  const text = `package p\n\n${"// A long story.\n".repeat(300)}// quetzal\nfunc f() {}\n`;
  const bodies = (await bodiesOf("p.go", text)).map(({ body }) => body);
  expect(bodies.join("\n")).toContain("quetzal");
});

test("of a long function only the first part has its name, comment and signature, and all parts are of one symbol", async () => {
  const parameters = Array.from({ length: 40 }, (_, at) => `parameter${at} string`).join(", ");
  const statements = Array.from({ length: 150 }, (_, at) => `\tstep${at}()\n`).join("");
  const text = `package p\n\n// Walk goes through all steps.\nfunc Walk(${parameters}) {\n${statements}}\n`;
  const parts = await preparedChunks("p.go", text);
  const [first, ...later] = parts.filter(({ title }) => title === "Walk");
  expect(later.length).toBeGreaterThan(0);
  expect(first).toMatchObject({ names: ["Walk"], doc: "Walk goes through all steps." });
  expect(first?.embedText).toContain("parameter9");
  for (const part of later) {
    expect(part).toMatchObject({ names: [], doc: "" });
    expect(part.embedText).toMatch(/^p\nWalk\n\tstep\d+\(\)/);
    expect(part.attributes["long_function"]).toBe(first?.attributes["long_function"]);
  }
});

test("a function that a source file only declares is a declaration, in a header it is not", async () => {
  const text =
    "/* Opens the relay. */\nstatic int relay_open(int port); /* the port to listen on */\n\nint relay_open(int port)\n{\n\treturn port;\n}\n";
  const roles = async (path: string) =>
    (await preparedChunks(path, text, "c")).map(({ attributes }) => attributes["role"]);
  expect(await roles("relay.c")).toEqual(["declaration", undefined]);
  expect(await roles("relay.h")).toEqual([undefined, undefined]);
});
