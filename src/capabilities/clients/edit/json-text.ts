import {
  createScanner,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { FileRefusal } from "./config-file.ts";

/** Token kinds of the scanner: its own enum exists only at compile time. */
export const KIND = {
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  end: 17,
} as const;
const OPTIONS = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true } as const;

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
export const spanOf = ({ offset, length }: Node): TextSpan => ({ start: offset, end: offset + length });

/** The value of a JSON file with comments; a refusal if it has errors. */
export function readJsonc(text: string): { readonly value: unknown } | FileRefusal {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, OPTIONS);
  const [first] = errors;
  if (first === undefined) return { value };
  const line = text.slice(0, first.offset).split("\n").length;
  return { refused: `it cannot be read as JSON (line ${line}: ${printParseErrorCode(first.error)})` };
}

/** Follows a path of keys: the innermost object on it, and the property at its end if it exists. */
export function follow(
  text: string,
  path: readonly string[],
): { readonly object: Node; readonly depth: number; readonly property?: Node } | FileRefusal {
  let node = parseTree(text, [], OPTIONS);
  for (const [depth, key] of path.entries()) {
    if (node?.type !== "object")
      return { refused: `${path.slice(0, depth).join(".") || "its content"} is not an object` };
    const [property, twin] = propertiesOf(node, key);
    if (twin !== undefined) return { refused: `it has "${key}" twice` };
    if (property === undefined) return { object: node, depth };
    if (depth === path.length - 1) return { object: node, depth, property };
    node = property.children?.[1];
  }
  return { refused: "its content is not an object" };
}

/** The comments of a text, except those inside a span. */
export function commentsOf(text: string, except?: TextSpan): string[] {
  const scanner = createScanner(text, false);
  const comments: string[] = [];
  for (let token = scanner.scan(); token !== KIND.end; token = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const isInside = except !== undefined && offset >= except.start && offset < except.end;
    if (!isInside && (token === KIND.lineComment || token === KIND.blockComment))
      comments.push(scanner.getTokenValue());
  }
  return comments;
}

const propertiesOf = (node: Node, key: string): Node[] =>
  (node.children ?? []).filter((property) => property.children?.[0]?.value === key);
