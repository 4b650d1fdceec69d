import type { Node } from "web-tree-sitter";
import { type LineRange, lastRow } from "./lines.ts";

/** Shorter comments at the head of a file are marks for tools and headings of imports. */
const MIN_TELLING_LINES = 3;
const LICENCE = /copyright|spdx-|licen[cs]ed under|permission is hereby|all rights reserved/i;

/** Follows the top level of a file and tells what is header there: package clause, imports, and remarks about neither. */
export class Header {
  /** Package clause and imports; a run ends where code or a comment of some length stands between them. */
  readonly runs: LineRange[] = [];
  /** Comments before the code that do not speak of it. */
  readonly notices: LineRange[] = [];
  #comments: Node[] = [];
  #before: "nothing" | "header" | "code" = "nothing";

  comment(node: Node): void {
    this.#comments.push(node);
  }

  code(node: Node, isHeader: boolean): void {
    const groups = isHeader || this.#before === "nothing" ? groupsOf(this.#comments) : [];
    const notices = groups.filter(isNotice);
    this.notices.push(...notices.map(({ lines }) => lines));
    if (isHeader) this.#extend(node, this.#before === "header" && notices.length === groups.length);
    this.#before = isHeader ? "header" : "code";
    this.#comments = [];
  }

  #extend(node: Node, isSameRun: boolean): void {
    const run = isSameRun ? this.runs.pop() : undefined;
    const startLine = run?.startLine ?? node.startPosition.row + 1;
    this.runs.push({ startLine, endLine: lastRow(node) + 1 });
  }
}

interface CommentGroup {
  lines: LineRange;
  readonly comments: Node[];
}

function groupsOf(comments: readonly Node[]): CommentGroup[] {
  const groups: CommentGroup[] = [];
  for (const comment of comments) {
    const startLine = comment.startPosition.row + 1;
    const endLine = lastRow(comment) + 1;
    const last = groups.at(-1);
    if (last === undefined || startLine > last.lines.endLine + 1) {
      groups.push({ lines: { startLine, endLine }, comments: [comment] });
      continue;
    }
    // In place: a file may begin with thousands of comments.
    last.lines = { startLine: last.lines.startLine, endLine };
    last.comments.push(comment);
  }
  return groups;
}

const isNotice = ({ lines, comments }: CommentGroup) =>
  lines.endLine - lines.startLine + 1 < MIN_TELLING_LINES || comments.some(({ text }) => LICENCE.test(text));
