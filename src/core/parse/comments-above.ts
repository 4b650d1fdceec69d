import type { Node } from "web-tree-sitter";
import { lastRow } from "./lines.ts";

export interface Above {
  readonly comments: readonly Node[];
  readonly startRow: number;
  readonly docRow: number;
  /** A doc block that a blank line parts from the declaration. */
  readonly loose?: Node;
}

/** Comments seen since the last declaration, grouped as Go's parser groups them: no blank line within a group. */
export class CommentsAbove {
  #group: Node[] = [];
  #endRow = -2;
  /** First row of attributes or decorators that stand before the declaration. */
  #attributesRow: number | undefined;

  add(comment: Node, previousEndRow: number): void {
    const row = comment.startPosition.row;
    // On the line of the code before it, a comment belongs to that code.
    if (row === previousEndRow) return;
    this.#continueAt(row);
    this.#group.push(comment);
    this.#endRow = lastRow(comment);
  }

  extend(attribute: Node): void {
    const row = attribute.startPosition.row;
    this.#continueAt(row);
    this.#attributesRow ??= row;
    this.#endRow = lastRow(attribute);
  }

  /** The comments that touch a declaration on `row`, where it starts with its attributes, and where with its comments. */
  take(row: number): Above {
    const isAbove = this.#endRow + 1 === row || this.#endRow === row;
    const comments = isAbove ? this.#group : [];
    const loose = this.#endRow + 2 === row && this.#group.length === 1 ? this.#group[0] : undefined;
    const startRow = isAbove ? (this.#attributesRow ?? row) : row;
    this.#forget();
    const docRow = Math.min(comments[0]?.startPosition.row ?? startRow, startRow);
    return { comments, startRow, docRow, ...(loose && { loose }) };
  }

  #continueAt(row: number): void {
    if (row > this.#endRow + 1) this.#forget();
  }

  #forget(): void {
    this.#group = [];
    this.#endRow = -2;
    this.#attributesRow = undefined;
  }
}
