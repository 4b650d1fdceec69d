import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { loadLanguage, type ParsedFile } from "../../src/core/parse/parse.ts";

/** Compares our Go symbols with those of Go's own parser, over a whole source tree: `npm run check:parity [DIRECTORY]`. */
const DEFAULT_TREE = "/usr/share/go-1.19/src";
const SHOWN_DIFFERENCES = 40;

const GoSymbol = z.object({
  name: z.string(),
  kind: z.string(),
  receiver: z.string(),
  signature: z.string(),
  doc: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  docStartLine: z.number(),
  exported: z.boolean(),
});
const GoFile = z.object({
  path: z.string(),
  failed: z.boolean(),
  package: z.string(),
  doc: z.string(),
  imports: z.array(z.string()).nullable(),
  symbols: z.array(GoSymbol).nullable(),
});
type GoFile = z.infer<typeof GoFile>;
const Explained = z.array(z.object({ file: z.string(), field: z.string(), reason: z.string() }));

const tree = process.argv[2] ?? DEFAULT_TREE;
const explained = Explained.parse(JSON.parse(readFileSync("tests/parity/explained.json", "utf8")));
const paths = readdirSync(tree, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".go"))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const dump = execFileSync("go", ["run", "tests/parity/declarations.go"], {
  input: paths.join("\n"),
  maxBuffer: 1 << 30,
  env: { ...process.env, GO111MODULE: "off", GOFLAGS: "", GOPROXY: "off" },
  encoding: "utf8",
});
const parse = await loadLanguage("go");

let symbols = 0;
let skipped = 0;
const differences: string[] = [];
const used = new Set<string>();
for (const line of dump.split("\n")) {
  if (line === "") continue;
  const theirs = GoFile.parse(JSON.parse(line));
  if (theirs.failed) {
    skipped += 1;
    continue;
  }
  symbols += theirs.symbols?.length ?? 0;
  compare(theirs, parse(readFileSync(theirs.path, "utf8")));
}
for (const { file, field } of tree === DEFAULT_TREE ? explained : []) {
  if (!used.has(`${file} ${field}`)) differences.push(`explained.json: ${file} ${field} no longer differs`);
}
const report = [
  ...differences.slice(0, SHOWN_DIFFERENCES),
  `${paths.length - skipped} files, ${symbols} declarations, ${differences.length} unexplained differences, ` +
    `${explained.length} explained; ${skipped} files that Go itself rejects`,
];
process.stdout.write(`${report.join("\n")}\n`);
process.exitCode = differences.length === 0 && symbols > 0 ? 0 : 1;

function compare(theirs: GoFile, ours: ParsedFile): void {
  const file = theirs.path.slice(tree.length + 1);
  const differs = (field: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) === JSON.stringify(b)) return;
    const known = explained.find((entry) => entry.file === file && entry.field === field);
    if (known) used.add(`${file} ${field}`);
    else differences.push(`${file} ${field}\n  go:   ${JSON.stringify(a)}\n  ours: ${JSON.stringify(b)}`);
  };
  differs("package", theirs.package, ours.packageName);
  differs("doc", theirs.doc, ours.doc);
  differs("imports", theirs.imports ?? [], ours.imports);
  const expected = theirs.symbols ?? [];
  differs(
    "names",
    expected.map(({ name }) => name),
    ours.symbols.map(({ name }) => name),
  );
  for (const [index, symbol] of expected.entries()) {
    const found = ours.symbols[index];
    if (found?.name !== symbol.name) return;
    for (const field of GoSymbol.keyof().options) {
      differs(
        `${symbol.name}.${field}`,
        symbol[field],
        field === "receiver" ? (found.receiver ?? "") : found[field],
      );
    }
  }
}
