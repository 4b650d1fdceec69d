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
  const first = head ?? node;
  const written = text.slice(first.startIndex, body ? body.startIndex : node.endIndex);
  if (!rules.commentStarts.test(written)) return oneLine(written).replace(TAIL, "");
  // Only within the head: the body may be a whole file.
  const comments = node.descendantsOfType(
    [...rules.comments],
    first.startPosition,
    body ? body.startPosition : node.endPosition,
  );
  const bare = withoutComments(written, first.startIndex, comments);
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

function withoutComments(written: string, start: number, comments: readonly Node[]): string {
  const end = start + written.length;
  let bare = "";
  let from = start;
  for (const comment of comments) {
    if (comment.startIndex < from || comment.endIndex > end) continue;
    bare += `${written.slice(from - start, comment.startIndex - start)} `;
    from = comment.endIndex;
  }
  return bare + written.slice(from - start);
}
