import type { Node } from "web-tree-sitter";

/** 1-based, both ends included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** The last row of a node, from 0. Some grammars let a line comment end at the start of the next line. */
export function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}
