import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { type LanguageId, loadLanguage } from "../../src/core/parse/parse.ts";

/**
 * Compares our symbols with those of the languages' own parsers: TypeScript with its compiler, Python with `ast`.
 * `npm run check:compilers [DIRECTORY…]`. Only declarations count that stand in a file, a class or a namespace.
 */
const WANTED = 0.97;
const SHOWN = 12;
const MAX_FILES = 1_500;
const MAX_BYTES = 1_000_000;

const Declared = z.object({
  path: z.string(),
  symbols: z.array(z.object({ name: z.string(), line: z.number() })),
});
type Declared = z.infer<typeof Declared>;

const given = process.argv.slice(2);
const treesOf = (defaults: readonly string[]) =>
  (given.length > 0 ? given : defaults).filter((tree) => existsSync(tree));
const typescript = filesBelow(treesOf(["src", ...packages()]), /\.[cm]?ts$/);
const python = filesBelow(treesOf(["/usr/lib/python3", ...pythonLibraries()]), /\.py$/);
const results = [
  await compare("typescript", typescript, typescript.map(declaredInTypeScript)),
  await compare("python", python, declaredInPython(python)),
];
process.exitCode = results.every(Boolean) ? 0 : 1;

async function compare(
  id: LanguageId,
  files: readonly string[],
  expected: readonly Declared[],
): Promise<boolean> {
  const parse = await loadLanguage(id);
  const missing: string[] = [];
  let total = 0;
  for (const { path, symbols } of expected) {
    const { symbols: ours, members = [] } = parse(readFileSync(path, "utf8"));
    const fields = new Set(members.map((member) => `${member.line} ${member.name}`));
    total += symbols.length;
    for (const { name, line } of symbols) {
      const isKnown =
        fields.has(`${line} ${name}`) ||
        ours.some((symbol) => symbol.name === name && symbol.docStartLine <= line && line <= symbol.endLine);
      if (!isKnown) missing.push(`${path}:${line} ${name}`);
    }
  }
  if (total === 0) {
    process.stdout.write(`${id}: SKIPPED, no source or no parser is here (${files.length} files)\n`);
    return true;
  }
  const recall = 1 - missing.length / total;
  const isEnough = recall >= WANTED;
  const step = Math.max(1, Math.floor(missing.length / SHOWN));
  const shown = process.env["ALL_DIFFERENCES"]
    ? missing
    : missing.filter((_, at) => at % step === 0).slice(0, SHOWN);
  process.stdout.write(
    `${id}: ${expected.length} files, ${total} declarations, recall ${recall.toFixed(4)}${isEnough ? "" : " TOO LOW"}\n` +
      shown.map((line) => `  ${line}\n`).join(""),
  );
  return isEnough;
}

function declaredInTypeScript(path: string): Declared {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const symbols: Declared["symbols"] = [];
  const visit = (node: ts.Node): void => {
    const name = nameOf(node);
    if (name !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      symbols.push({ name, line: line + 1 });
    }
    if (holdsDeclarations(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return { path, symbols };
}

/** Functions, classes, types, enums and namespaces with a plain name, and their methods, fields and values. */
function nameOf(node: ts.Node): string | undefined {
  const isCounted =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isEnumMember(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node);
  return isCounted && node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function holdsDeclarations(node: ts.Node): boolean {
  return (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isModuleBlock(node)
  );
}

function declaredInPython(paths: readonly string[]): Declared[] {
  const { stdout } = spawnSync("python3", ["tests/parity/declarations.py"], {
    input: paths.join("\n"),
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  return (stdout ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Declared.parse(JSON.parse(line)));
}

/** Packages with many declarations; a package may be a link. */
function packages(): string[] {
  return ["typescript", "zod", "hono", "vitest", "@types/node"]
    .map((name) => join("node_modules", name))
    .flatMap((path) => (existsSync(path) ? [realpathSync(path)] : []));
}

/** The standard library of the python3 that is installed. */
function pythonLibraries(): string[] {
  return existsSync("/usr/lib")
    ? readdirSync("/usr/lib").flatMap((name) => (/^python3\.\d+$/.test(name) ? [join("/usr/lib", name)] : []))
    : [];
}

/** Evenly spread over the trees, so that a check takes a minute. */
function filesBelow(trees: readonly string[], wanted: RegExp): string[] {
  const all = trees
    .flatMap((tree) =>
      readdirSync(tree, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() && wanted.test(entry.name) ? [join(entry.parentPath, entry.name)] : [],
      ),
    )
    .sort();
  const step = Math.max(1, Math.ceil(all.length / MAX_FILES));
  return all.filter((_, at) => at % step === 0).filter((path) => readFileSync(path).length <= MAX_BYTES);
}
