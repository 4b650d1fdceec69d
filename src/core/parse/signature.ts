import type { Node } from "web-tree-sitter";
import type { Declaration, Rules } from "./rules.ts";

const MAX_LENGTH = 400;

/** What only leads over to the body, or ends the statement. */
const TAIL = /(?:\s*(?:=>|[={:;]))+$/;

/** The head of a declaration on one line: no body, no comments, no breaks. */
export function signatureOf(
  text: string,
  node: Node,
  { head, body }: Pick<Declaration, "head" | "body">,
  rules: Rules,
): string {
  const start = (head ?? node).startIndex;
  const end = body ? body.startIndex : node.endIndex;
  const written = text.slice(start, end);
  const bare = rules.commentStarts.test(written)
    ? withoutComments(written, { node, start, end, rules })
    : written;
  return oneLine(bare).replace(TAIL, "");
}

/** Breaks and the spaces around brackets that they leave behind are taken out; what is too long ends in `…`. */
export function oneLine(written: string): string {
  const line = written
    .replace(/\s+/g, " ")
    .replace(/([([]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1")
    .trim();
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}

function withoutComments(
  written: string,
  { node, start, end, rules }: { node: Node; start: number; end: number; rules: Rules },
): string {
  let bare = "";
  let from = start;
  for (const comment of node.descendantsOfType([...rules.comments])) {
    if (comment.startIndex < from || comment.endIndex > end) continue;
    bare += `${written.slice(from - start, comment.startIndex - start)} `;
    from = comment.endIndex;
  }
  return bare + written.slice(from - start);
}
