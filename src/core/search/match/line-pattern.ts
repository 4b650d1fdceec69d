import { type Context, createContext, Script } from "node:vm";
import { DomainError } from "../../errors.ts";
import { trigramPlaces } from "./trigrams.ts";

export interface LinePatternOptions {
  readonly pattern: string;
  readonly mode: "literal" | "regex";
  /** Default: case counts only if the pattern has an upper-case letter. */
  readonly ignoreCase?: boolean;
}
export interface LineMatch {
  /** From 1, within the text. */
  readonly line: number;
  /** From 1, in code units. */
  readonly column: number;
  readonly text: string;
}
/** A pattern that is matched line by line, as grep does. */
export interface LinePattern {
  /** A text can match only if its `trigramSet` has all the bits of one of these lists. */
  readonly trigrams: readonly (readonly number[])[];
  /** False if no line of these bytes can match: quick, before they are decoded. */
  mayMatch(bytes: Buffer): boolean;
  /** The matching lines of each text. */
  linesOf(texts: readonly string[]): LineMatch[][];
}

const MAX_PATTERN = 1000;
/** A call takes some milliseconds; a pattern that backtracks takes for ever. */
const MAX_MS = 2_000;
/** Of all calls with one pattern: a large project has hundreds of them. */
const MAX_TOTAL_MS = 10_000;

export function linePattern(
  { pattern, mode, ignoreCase = !/\p{Lu}/u.test(pattern) }: LinePatternOptions,
  totalMs = MAX_TOTAL_MS,
): LinePattern {
  if (pattern === "" || pattern.length > MAX_PATTERN || /[\r\n]/.test(pattern)) {
    throw refused(`A pattern has one line of 1 to ${MAX_PATTERN} characters.`);
  }
  const source = mode === "literal" ? pattern.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&") : pattern;
  // Without the `u` flag, no other letter is the same as an ASCII letter in another case.
  const flags = `gm${ignoreCase ? "i" : ""}${mode === "regex" ? "u" : ""}`;
  const expression = compile(source, flags);
  const all = (texts: readonly string[]) => texts.map((text) => matchingLines(expression, text));
  const fragments = mode === "literal" ? [pattern] : alternativesOf(pattern).map(requiredFragment);
  const bytes = fragments.map((fragment) => Buffer.from(fragment));
  return {
    mayMatch: ignoreCase ? () => true : (text) => bytes.some((fragment) => text.includes(fragment)),
    trigrams: trigramsOf(fragments, flags),
    // A literal cannot backtrack: it needs no watch.
    linesOf: mode === "literal" ? all : bounded(all, totalMs),
  };
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refused(`Not a regular expression: ${reason}`);
  }
}

/** One match a line; a match that runs over the end of its line is looked for again within each line. */
function matchingLines(expression: RegExp, text: string): LineMatch[] {
  const found: LineMatch[] = [];
  const counter = { at: 0, line: 1 };
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    const start = text.lastIndexOf("\n", match.index - 1) + 1;
    const next = text.indexOf("\n", match.index);
    const end = next < 0 ? text.length : next;
    const column =
      match.index + match[0].length <= end
        ? match.index - start
        : columnWithin(expression, text.slice(start, end));
    if (column >= 0) {
      for (; counter.at < start; counter.at = text.indexOf("\n", counter.at) + 1) counter.line++;
      found.push({ line: counter.line, column: column + 1, text: text.slice(start, end).replace(/\r$/, "") });
    }
    expression.lastIndex = end + 1;
    if (end >= text.length) break;
  }
  return found;
}

function columnWithin(expression: RegExp, line: string): number {
  return line.search(new RegExp(expression.source, expression.flags.replace("g", "")));
}

const RUN = new Script("run()");
let asked: (() => LineMatch[][]) | undefined;
let found: LineMatch[][] = [];
/** One for all patterns: each takes a millisecond and a megabyte, and stays until the next full garbage collection. */
let context: Context | undefined;

/** Stops matches that take too long: JavaScript's expressions may backtrack without end. */
function bounded(match: LinePattern["linesOf"], totalMs: number): LinePattern["linesOf"] {
  context ??= createContext({
    run: () => {
      found = asked?.() ?? [];
    },
  });
  const inContext = context;
  let left = totalMs;
  return (texts) => {
    asked = () => match(texts);
    const start = performance.now();
    try {
      RUN.runInContext(inContext, { timeout: Math.min(MAX_MS, Math.max(1, Math.ceil(left))) });
      left -= performance.now() - start;
      return found;
    } catch (cause) {
      // Not an `Error` of this realm, so it is known by its code alone.
      const isTimeout = typeof cause === "object" && cause !== null && "code" in cause;
      if (!isTimeout || cause.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw cause;
      throw refused("The pattern takes too long. Use a simpler one, without nested repetition.");
    } finally {
      asked = undefined;
      found = [];
    }
  };
}

/** A text must hold one of the fragments. Bytes can tell the case of ASCII only. */
function trigramsOf(fragments: readonly string[], flags: string): LinePattern["trigrams"] {
  const ignoreCase = flags.includes("i");
  // With both flags `k` also matches the Kelvin sign, and `s` the long s.
  const isUnsure = flags.includes("u") ? /[ks]|[^\0-\x7f]/ : /[^\0-\x7f]/;
  return fragments.map((fragment) =>
    trigramPlaces(fragment, (trigram) => !ignoreCase || !isUnsure.test(trigram)),
  );
}

const TOKEN = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{[^}]*\}|[\s\S]/g;

/** The parts between the `|` that stand outside of groups. */
export function alternativesOf(pattern: string): string[] {
  let depth = 0;
  const parts = [""];
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token === "|" && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + token);
  }
  return parts;
}

/** The longest run of plain characters that every match must hold; empty if none is certain. */
export function requiredFragment(pattern: string): string {
  if (alternativesOf(pattern).length > 1) return "";
  let depth = 0;
  const runs = [""];
  for (const [token] of pattern.matchAll(TOKEN)) {
    const plain = plainCharacter(token);
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (/^[*?{]/.test(token)) runs.push((runs.pop() ?? "").slice(0, -1), "");
    else if (plain === undefined || depth > 0) runs.push("");
    else runs.push((runs.pop() ?? "") + plain);
  }
  return runs.reduce((best, run) => (run.length > best.length ? run : best), "");
}

/** The character a token stands for, if it stands for exactly one. */
function plainCharacter(token: string): string | undefined {
  if (token.length === 2) return /[a-zA-Z0-9]/.test(token.charAt(1)) ? undefined : token.charAt(1);
  return token.length === 1 && !/[()+.^$]/.test(token) ? token : undefined;
}

const refused = (message: string): DomainError =>
  new DomainError("invalid_input", message, { details: { param: "pattern" } });
