import type { Node } from "web-tree-sitter";
import type { ParseProblem } from "./parse.ts";

/** A broken file is broken in one place mostly; more would only repeat it. */
const MAX_PROBLEMS = 5;
const SHOWN_LENGTH = 30;
/** Deeper than people nest: an expression of a thousand terms must not exhaust the stack. */
const MAX_DEPTH = 200;

/** The outermost places that did not parse, in order. */
export function problemsOf(
  root: Node,
  isFault: (error: Node) => boolean = () => true,
): readonly ParseProblem[] {
  const problems: ParseProblem[] = [];
  collect(root, { problems, isFault }, 0);
  return problems;
}

interface Search {
  readonly problems: ParseProblem[];
  readonly isFault: (error: Node) => boolean;
}

function collect(node: Node, search: Search, depth: number): void {
  const { problems, isFault } = search;
  for (const child of node.children) {
    if (problems.length >= MAX_PROBLEMS || depth > MAX_DEPTH) return;
    if ((child.isMissing || child.isError) && !isFault(child)) continue;
    if (child.isMissing) problems.push(problemAt(child, `expecting '${child.type}'`));
    else if (child.isError) problems.push(problemAt(child, unexpected(child)));
    else if (child.hasError) collect(child, search, depth + 1);
  }
}

const problemAt = (node: Node, what: string): ParseProblem => ({
  line: node.startPosition.row + 1,
  message: `syntax error: ${what}`,
});

function unexpected(node: Node): string {
  const [first = ""] = node.text.trim().split(/\s+/);
  return first === "" ? "unexpected end of file" : `unexpected '${first.slice(0, SHOWN_LENGTH)}'`;
}
