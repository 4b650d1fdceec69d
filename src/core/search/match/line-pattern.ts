import { createContext, Script } from "node:vm";
import { DomainError } from "../../errors.ts";

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
  /** False if no line of these bytes can match; quick, and before they are decoded. */
  mayMatch(bytes: Buffer): boolean;
  linesOf(text: string): LineMatch[];
}

const MAX_PATTERN = 1000;
/** A block of text takes well under a millisecond; a pattern that backtracks takes for ever. */
const MAX_BLOCK_MS = 500;
const LEAST_FRAGMENT = 2;

export function linePattern({
  pattern,
  mode,
  ignoreCase = !/\p{Lu}/u.test(pattern),
}: LinePatternOptions): LinePattern {
  if (pattern === "" || pattern.length > MAX_PATTERN || /[\r\n]/.test(pattern)) {
    throw refused(`A pattern has one line of 1 to ${MAX_PATTERN} characters.`);
  }
  const source = mode === "literal" ? pattern.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&") : pattern;
  const expression = compile(source, ignoreCase);
  const fragment = mode === "literal" ? pattern : requiredFragment(pattern);
  const mayMatch = fragmentTest(fragment, ignoreCase);
  const all = (text: string) => matchingLines(expression, text);
  // A literal cannot backtrack: it needs no watch.
  return { mayMatch, linesOf: mode === "literal" ? all : bounded(all) };
}

function compile(source: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(source, ignoreCase ? "gmiu" : "gmu");
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

/** Stops a match that takes too long: JavaScript's expressions may backtrack without end. */
function bounded(match: (text: string) => LineMatch[]): (text: string) => LineMatch[] {
  let asked = "";
  let found: LineMatch[] = [];
  // Making a context takes a millisecond, so there is one for all blocks.
  const context = createContext({
    run: () => {
      found = match(asked);
    },
  });
  return (text) => {
    asked = text;
    try {
      RUN.runInContext(context, { timeout: MAX_BLOCK_MS });
      return found;
    } catch (cause) {
      // Not an `Error` of this realm, so it is known by its code alone.
      const isTimeout = typeof cause === "object" && cause !== null && "code" in cause;
      if (!isTimeout || cause.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw cause;
      throw refused("The pattern takes too long. Use a simpler one, without nested repetition.");
    }
  };
}

/** The bytes must hold a fragment of the pattern. Only ASCII has a case that bytes can tell. */
function fragmentTest(fragment: string, ignoreCase: boolean): (bytes: Buffer) => boolean {
  if (fragment.length < LEAST_FRAGMENT) return () => true;
  const wanted = Buffer.from(fragment);
  if (!ignoreCase) return (bytes) => bytes.includes(wanted);
  if (!/^[ -~]+$/.test(fragment) || /[ks]/i.test(fragment)) return () => true;
  const first = fragment.toLowerCase();
  return (bytes) => bytes.toString("latin1").toLowerCase().includes(first);
}

const TOKEN = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{[^}]*\}|[\s\S]/g;

/** The longest run of plain characters that every match must hold; empty if none is certain. */
export function requiredFragment(pattern: string): string {
  if (pattern.includes("|")) return "";
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
