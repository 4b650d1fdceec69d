import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { truthOfScripts } from "./script-truth.ts";

/** jedi needs about a tenth of a second for each. */
const SAMPLED_NAMES = 1_500;
const GO_PARTS = ["net", "go", "crypto", "encoding"];
const PYTHON_PARTS = [
  ...["asyncio", "email", "http", "unittest"],
  ...["xml", "multiprocessing", "logging", "importlib"],
];

export interface TruthTarget {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}
export interface TruthUse {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly target: TruthTarget;
}
/** What a language's own tool says. */
export interface NavigationTruth {
  readonly files: ReadonlySet<string>;
  readonly definitions: readonly TruthTarget[];
  /** Declarations that we may have, but need not. */
  readonly others?: readonly TruthTarget[];
  readonly uses: readonly TruthUse[];
  /** The places that were asked about; absent if every place was. */
  readonly asked?: ReadonlySet<string>;
}
export interface CheckedTree {
  readonly root: string;
  readonly truth: () => NavigationTruth;
}
interface TreeRequest {
  /** Instead of the default sources. */
  readonly directory: string | undefined;
  /** Instead of the default parts of them. */
  readonly parts: readonly string[];
  readonly scratch: string;
}

/** The sources to check for each language; `undefined` if they or the tool are not here. */
export const TREES: Readonly<Record<string, (request: TreeRequest) => CheckedTree | undefined>> = {
  go: goTree,
  typescript: scriptTree,
  python: pythonTree,
};

/** The lines of a program that knows a language: F file, D definition, A asked place, U use. */
function readTruth(output: string): NavigationTruth {
  const files = new Set<string>();
  const asked = new Set<string>();
  const definitions: TruthTarget[] = [];
  const uses: TruthUse[] = [];
  for (const row of output.split("\n")) {
    const [mark, path = "", line = "", column = "", target = "", targetLine = "", name = ""] =
      row.split("\t");
    if (mark === "F") files.add(path);
    if (mark === "A") asked.add(`${path}:${line}:${column}`);
    if (mark === "D") definitions.push({ path, line: Number(line), name: column });
    if (mark === "U")
      uses.push({
        path,
        line: Number(line),
        column: Number(column),
        target: { path: target, line: Number(targetLine), name },
      });
  }
  return { files, definitions, uses, ...(asked.size > 0 && { asked }) };
}

function goTree({ directory, parts, scratch }: TreeRequest): CheckedTree | undefined {
  const source = directory ?? "/usr/share/go-1.19/src";
  if (!existsSync(source) || !canRun("go", "version")) return undefined;
  const wanted = partsOf(directory, parts, GO_PARTS);
  const root = copied(scratch, source, wanted);
  const program = join("tests", "parity", "references.go");
  const truth = () =>
    readTruth(
      execFileSync("go", ["run", program, realpathSync(source), ...wanted], {
        encoding: "utf8",
        maxBuffer: 1 << 29,
        env: { ...process.env, CGO_ENABLED: "0" },
      }),
    );
  return { root, truth };
}

function pythonTree({ directory, parts, scratch }: TreeRequest): CheckedTree | undefined {
  const python = ["/usr/bin/python3", "python3"].find((program) => canRun(program, "-c", "import jedi"));
  const source = directory ?? "/usr/lib/python3.11";
  if (python === undefined || !existsSync(source)) return undefined;
  const root = copied(scratch, source, partsOf(directory, parts, PYTHON_PARTS));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".py"),
  );
  const truth = () =>
    readTruth(
      execFileSync(
        python,
        // jedi reads the sources where Python finds them too: a copy of the standard library would be a second one.
        [join("tests", "parity", "references.py"), realpathSync(source), String(SAMPLED_NAMES), ...files],
        {
          encoding: "utf8",
          maxBuffer: 1 << 29,
        },
      ),
    );
  return { root, truth };
}

function scriptTree({ directory, parts, scratch }: TreeRequest): CheckedTree | undefined {
  const root = copied(scratch, directory ?? ".", partsOf(directory, parts, ["src"]));
  return { root, truth: () => truthOfScripts(root) };
}

/** The wanted parts; without any, the usual ones of the default sources, or everything in another directory. */
function partsOf(directory: string | undefined, parts: readonly string[], usual: readonly string[]) {
  if (parts.length > 0) return parts;
  return directory === undefined ? usual : readdirSync(directory).filter((name) => !name.startsWith("."));
}

function copied(scratch: string, source: string, parts: readonly string[]): string {
  const root = join(scratch, `tree-${readdirSync(scratch).length}`);
  mkdirSync(root);
  for (const part of parts) {
    if (existsSync(join(source, part)))
      cpSync(join(source, part), join(root, part), {
        recursive: true,
        dereference: true,
        filter: (path) =>
          !/\/(?:testdata|node_modules|__pycache__|test|tests)(?:\/|$)/.test(path.slice(source.length)),
      });
  }
  return realpathSync(root);
}

function canRun(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
