import { DomainError } from "../errors.ts";
import { parseClass } from "./character-class.ts";
import { pushDirectories, pushStar, type WildcardInstruction, wildcardMatcher } from "./wildcard.ts";

const MAX_LENGTH = 1000;
const MAX_DEPTH = 8;

/** Tests a path relative to the root, with `/`. */
export type PathTest = (path: string) => boolean;

/** Compiles a caller's glob: `*`, `?`, `**`, `[…]`, `{a,b}`. Linear in pattern × path; a malformed glob is `invalid_input`. */
export function compileGlob(glob: string): PathTest {
  if (glob.length > MAX_LENGTH) throw invalid(glob, `it is longer than ${MAX_LENGTH} characters`);
  if (!/[*?[{\\]/.test(glob)) return (path) => path === glob;
  const suffix = /^\*\*\/\*([^*?[{}\\/]+)$/.exec(glob)?.[1];
  if (suffix !== undefined) return (path) => path.endsWith(suffix);
  const directory = /^([^*?[{}\\]*\/)\*\*$/.exec(glob)?.[1];
  if (directory !== undefined) return (path) => path.startsWith(directory);
  const compiler = { glob, program: [] as WildcardInstruction[] };
  const end = compile(compiler, 0, 0);
  if (end !== glob.length) throw invalid(glob, "a brace is closed that was not opened");
  // Most files of a project lie elsewhere or have another ending.
  const start = /^[^*?[{\\]*/.exec(glob)?.[0] ?? "";
  const endings = endingsOf(glob);
  const hasEnding = (path: string) => endings?.some((ending) => path.endsWith(ending)) ?? true;
  const matches = wildcardMatcher(compiler.program);
  return (path) => path.startsWith(start) && hasEnding(path) && matches(path);
}

/** What every match ends with, if the glob ends with `.md` or `.{md,html}`. */
function endingsOf(glob: string): readonly string[] | undefined {
  const found = /\.(?:(?<one>[\w-]+)|\{(?<several>[\w,-]+)\})$/.exec(glob)?.groups;
  return found && (found["several"] ?? found["one"])?.split(",").map((ending) => `.${ending}`);
}

/** Matches a path if any of `include` and none of `exclude` matches. */
export function globFilter(include: readonly string[], exclude: readonly string[] = []): PathTest {
  const wanted = include.map(compileGlob);
  const unwanted = exclude.map(compileGlob);
  return (path) => wanted.some((test) => test(path)) && !unwanted.some((test) => test(path));
}

interface GlobCompiler {
  readonly glob: string;
  readonly program: WildcardInstruction[];
}

/** Compiles from `start` to the end or, inside braces, to the `,` or `}` that ends the alternative. */
function compile(compiler: GlobCompiler, start: number, depth: number): number {
  const { glob } = compiler;
  let at = start;
  while (at < glob.length) {
    const character = glob[at];
    if (depth > 0 && (character === "," || character === "}")) return at;
    if (depth === 0 && character === "}") return at;
    at = character === "{" ? compileBraces(compiler, at, depth + 1) : compileOne(compiler, at);
  }
  if (depth > 0) throw invalid(glob, "a brace is not closed");
  return at;
}

/** Each alternative ends with a jump to the end of the group. */
function compileBraces(compiler: GlobCompiler, open: number, depth: number): number {
  const { glob, program } = compiler;
  if (depth > MAX_DEPTH) throw invalid(glob, `its braces are deeper than ${MAX_DEPTH}`);
  const jumps: { op: "jump"; to: number }[] = [];
  let at = open;
  do {
    const split = { op: "split" as const, first: program.length + 1, second: 0 };
    program.push(split);
    at = compile(compiler, at + 1, depth);
    const jump = { op: "jump" as const, to: 0 };
    jumps.push(jump);
    program.push(jump);
    split.second = program.length;
  } while (glob[at] === ",");
  // After the last alternative: a state that matches nothing.
  program.push({ op: "class", has: () => false });
  for (const jump of jumps) jump.to = program.length;
  return at + 1;
}

function compileOne({ glob, program }: GlobCompiler, at: number): number {
  const isAtStart = at === 0 || "/{,".includes(glob[at - 1] ?? "");
  if (isAtStart && glob.startsWith("**/", at)) {
    pushDirectories(program);
    return at + 3;
  }
  if (glob[at] === "*") {
    let end = at;
    while (glob[end] === "*") end++;
    const isWhole = isAtStart && end - at === 2 && (end === glob.length || ",}".includes(glob[end] ?? ""));
    pushStar(program, isWhole ? "everything" : "any");
    return end;
  }
  if (glob[at] === "?") {
    program.push({ op: "any" });
    return at + 1;
  }
  if (glob[at] === "[") {
    const found = parseClass(glob, at);
    if (!found) throw invalid(glob, "a bracket is not closed");
    program.push({ op: "class", has: found.has });
    return found.end;
  }
  const from = glob[at] === "\\" && at + 1 < glob.length ? at + 1 : at;
  const code = glob.codePointAt(from) ?? 0;
  program.push({ op: "character", code });
  return from + (code > 0xffff ? 2 : 1);
}

const invalid = (glob: string, why: string) =>
  new DomainError("invalid_input", `Not a usable glob: ${glob.slice(0, 80)}: ${why}.`, { reason: "glob" });
