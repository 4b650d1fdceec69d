import type { Node } from "web-tree-sitter";

/** Shorter symbols are never cut, so nobody asks where. */
const LONG_SYMBOL_LINES = 60;
const LONG_PART_LINES = 40;
/** A sum of a thousand strings is a tree a thousand deep. */
const MAX_DEPTH = 16;

/** First lines of the parts of a long symbol, coarse parts first opened where they are long themselves. */
export function cutsOf(node: Node, startLine: number, endLine: number): readonly number[] {
  if (endLine - startLine < LONG_SYMBOL_LINES) return [];
  const cuts = new Set<number>();
  collect(node, cuts, 0);
  cuts.delete(startLine);
  return [...cuts].sort((a, b) => a - b);
}

function collect(node: Node, cuts: Set<number>, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const parts = node.namedChildren;
  for (const part of parts) {
    if (parts.length > 1) cuts.add(part.startPosition.row + 1);
    if (part.endPosition.row - part.startPosition.row > LONG_PART_LINES) collect(part, cuts, depth + 1);
  }
}
