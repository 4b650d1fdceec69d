/**
 * Compares definitions and references with what the languages' own tools say: Go with go/types, TypeScript with its
 * compiler, Python with jedi. `npm run check:navigation [go|typescript|python] [DIRECTORY [PART...]]`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCodeIndex } from "../../src/capabilities/code-index/index.ts";
import type { Definition } from "../../src/capabilities/code-index/navigation/navigator.ts";
import { ReferenceFinder } from "../../src/capabilities/code-index/navigation/references.ts";
import { isBrief } from "../../src/capabilities/code-index/prepare/read-source.ts";
import { openCodeStore } from "../../src/capabilities/code-index/store/code-store.ts";
import { currentIndexFile } from "../../src/capabilities/code-index/store/generations.ts";
import { projectAt } from "../../src/capabilities/code-index/store/project.ts";
import { Config } from "../../src/core/config/config.ts";
import { openEmbeddings } from "../../src/core/search/index.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { placeOf, UseCounts } from "./navigation-counts.ts";
import { type CheckedTree, type NavigationTruth, TREES } from "./navigation-truth.ts";

const WANTED = { definitions: 0.97, resolved: 0.97, probable: 0.8, recall: 0.93 } as const;
/** How many examples of each mistake are shown; without this variable, only if a figure is too low. */
const SHOWN = process.env["SHOWN"];
const EXAMPLES = Number(SHOWN ?? 12);
const SAMPLED_DEFINITIONS = 1_500;
/** Kinds that the tools count too. */
const KINDS = new Set(["function", "method", "class", "struct", "interface", "type", "enum", "const", "var"]);

const [wanted, directory, ...parts] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "contextful-navigation-"));
let isEnough = true;
try {
  for (const [language, treeOf] of Object.entries(TREES)) {
    if (wanted !== undefined && wanted !== language) continue;
    const tree = treeOf({ directory, parts, scratch });
    if (tree) isEnough = (await check(language, tree)) && isEnough;
    else process.stdout.write(`${language}: SKIPPED, its tool or its sources are not here\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = isEnough ? 0 : 1;

async function check(language: string, { root, truth: truthOf }: CheckedTree): Promise<boolean> {
  const truth = withoutLarge(root, truthOf());
  const machine = testMachine(root, {
    home: join(scratch, "home"),
    config: async () => Config.parse({ embedding: { provider: "disabled" } }),
  });
  const room = openCodeIndex(machine);
  await room.indexCode(root, testCall());
  const embeddings = openEmbeddings(await machine.config(), machine);
  using code = await openCodeStore(currentIndexFile(projectAt(machine, root)) ?? "", embeddings, {
    readOnly: true,
  });
  const finder = new ReferenceFinder(code);
  const found = compareDefinitions(finder, truth);
  const uses = compareUses(finder, truth, found.known);
  await room.close();
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  const figures = {
    "definitions, precision": [found.right, found.ours, WANTED.definitions],
    "definitions, recall": [found.right, truth.definitions.length, WANTED.definitions],
    "resolved, precision": [uses.resolvedRight, uses.resolved, WANTED.resolved],
    "references, recall": [uses.found, uses.truth, WANTED.recall],
    "of these resolved": [uses.foundResolved, uses.truth, 0],
    "probable, precision": [uses.probableRight, uses.probable, WANTED.probable],
  } as const;
  process.stdout.write(`${language}: ${truth.files.size} files, ${uses.sampled} definitions asked for\n`);
  let isGood = true;
  for (const [name, [part, whole, least]] of Object.entries(figures)) {
    isGood &&= share(part, whole) >= least;
    const verdict = share(part, whole) >= least ? "" : "  TOO LOW";
    process.stdout.write(
      `  ${name.padEnd(24)} ${share(part, whole).toFixed(3)}  ${part} of ${whole}${verdict}\n`,
    );
  }
  if (isGood && SHOWN === undefined) return true;
  for (const [name, lines] of Object.entries({ ...found.lists, ...uses.lists })) {
    const step = Math.max(1, Math.floor(lines.length / EXAMPLES));
    const shown = lines.filter((_, at) => at % step === 0).slice(0, EXAMPLES);
    if (shown.length > 0)
      process.stdout.write(`  ${name}:\n${shown.map((line) => `    ${line}\n`).join("")}`);
  }
  return isGood;
}

/** Of large generated files the index has only the beginning. */
function withoutLarge(root: string, truth: NavigationTruth): NavigationTruth {
  const large = new Set([...truth.files].filter((path) => isBrief(readFileSync(join(root, path)), "go")));
  return {
    ...truth,
    files: new Set([...truth.files].filter((path) => !large.has(path))),
    definitions: truth.definitions.filter(({ path }) => !large.has(path)),
    uses: truth.uses.filter(({ path }) => !large.has(path)),
  };
}

/** Compares declarations by file, name and line. */
function compareDefinitions(finder: ReferenceFinder, truth: NavigationTruth) {
  const { navigator } = finder;
  const known = new Map<string, Definition>();
  const declared = new Set(
    [...truth.definitions, ...(truth.others ?? [])].map(({ path, line, name }) => `${path}:${line}:${name}`),
  );
  const missing: string[] = [];
  let right = 0;
  for (const target of truth.definitions) {
    const file = navigator.tree.fileAt(target.path);
    const found =
      file &&
      navigator
        .namesOf(file)
        .declared.filter(
          ({ name, startLine, endLine }) =>
            name === target.name && startLine <= target.line && target.line <= endLine,
        )
        .sort((a, b) => b.startLine - a.startLine)[0];
    if (file && found) {
      known.set(`${target.path}:${target.line}:${target.name}`, { ...found, file });
      right++;
    } else missing.push(`${target.path}:${target.line} ${target.name}`);
  }
  const invented = [...truth.files].flatMap((path) => unknownIn(finder, path, declared));
  return {
    known,
    right,
    ours: right + invented.length,
    lists: { "missing definitions": missing, "definitions the tool does not know": invented },
  };
}

/** Our declarations of a file that the tool does not have on any of their lines. */
function unknownIn({ navigator }: ReferenceFinder, path: string, declared: ReadonlySet<string>): string[] {
  const file = navigator.tree.fileAt(path);
  const ours = file ? navigator.namesOf(file).declared : [];
  return ours.flatMap(({ name, kind, startLine, endLine }) => {
    if (!KINDS.has(kind) || name === "_" || name === "default") return [];
    const lines = Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at);
    const isThere = lines.some((line) => declared.has(`${path}:${line}:${name}`));
    return isThere ? [] : [`${path}:${startLine} ${kind} ${name}`];
  });
}

/** Asks for the references of a sample of declarations; of all that are used, if only some places were asked about. */
function compareUses(
  finder: ReferenceFinder,
  truth: NavigationTruth,
  known: ReadonlyMap<string, Definition>,
): UseCounts {
  const byTarget = new Map<string, Set<string>>();
  const targetAt = new Map<string, Set<string>>();
  for (const { path, line, column, target } of truth.uses) {
    const key = `${target.path}:${target.line}:${target.name}`;
    const at = `${path}:${line}:${column}`;
    byTarget.set(key, (byTarget.get(key) ?? new Set()).add(at));
    targetAt.set(at, (targetAt.get(at) ?? new Set()).add(key));
  }
  const keys = [...known.keys()].filter((key) => byTarget.has(key)).sort();
  const step = truth.asked ? 1 : Math.max(1, Math.floor(keys.length / SAMPLED_DEFINITIONS));
  const counts = new UseCounts();
  for (const key of keys.filter((_, at) => at % step === 0)) {
    const definition = known.get(key);
    const found = definition ? finder.find(definition) : [];
    const judged = found.filter(
      (one) => truth.files.has(one.file.path) && (!truth.asked || targetAt.has(placeOf(one))),
    );
    counts.add({ key, found: judged, wanted: byTarget.get(key) ?? new Set(), targetAt });
  }
  return counts;
}
