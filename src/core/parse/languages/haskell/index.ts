import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Place } from "../../rules.ts";

const constructors = (node: Node) =>
  node.childForFieldName("constructors") ?? node.childForFieldName("constructor");

export const haskell = defineLanguage({
  id: "haskell",
  name: "Haskell",
  extensions: ["hs", "lhs", "hsc", "hs-boot"],
  interpreters: ["runhaskell", "runghc", "stack"],
  grammar: "tree-sitter-haskell/tree-sitter-haskell.wasm",
  parameters: ["implicit_parameter ."],
  rules: nodeRules({
    comments: ["comment", "haddock", "pragma"],
    commentStarts: /--|\{-/,
    docText: haddock,
    holders: [
      "declarations",
      "class_declarations",
      "instance_declarations",
      "data_constructors",
      "gadt_constructors",
      "fields",
    ],
    facts: {
      header: (node) => ({ packageName: node.childForFieldName("module")?.text ?? "" }),
      imports: (node) => ({
        imports: node.namedChildren.flatMap((child) => child.childForFieldName("module")?.text ?? []),
      }),
    },
    declarations: {
      data_type: { kind: "type", body: constructors, members: constructors },
      newtype: { kind: "type", body: constructors, members: (node) => node },
      type_synomym: { kind: "type", body: (node) => longType(node) },
      type_family: { kind: "type" },
      data_family: { kind: "type" },
      class: { kind: "interface", body: members, members },
      instance: (node) => ({ inside: members(node)?.children ?? [], parent: instanceName(node) }),
      data_constructor: {
        kind: "const",
        name: (node) => constructorName(node),
        members: (node) => recordOf(node),
      },
      newtype_constructor: { kind: "const", members: (node) => recordOf(node) },
      gadt_constructor: { kind: "const" },
      field: { kind: "field", name: (node) => node.childForFieldName("name")?.text },
      signature: { kind: callable, name: (node) => nameOf(node), body: () => null, end: lastEquation },
      function: {
        kind: (node, place) => (isFirst(node) ? callable(node, place) : undefined),
        name: (node) => nameOf(node),
        body: matchOf,
        end: lastEquation,
      },
      bind: {
        kind: (node, place) => (isFirst(node) ? callable(node, place) : undefined),
        name: (node) => nameOf(node),
        body: matchOf,
        end: lastEquation,
      },
      pattern_synonym: { kind: "function", name: (node) => node.descendantsOfType("constructor")[0]?.text },
      foreign_import: { kind: "function", name: (node) => node.descendantsOfType("variable")[0]?.text },
    },
  }),
});

function callable(_node: Node, place: Place) {
  return place.parent === undefined ? "function" : "method";
}
function members(node: Node) {
  return node.childForFieldName("declarations");
}
function matchOf(node: Node) {
  return node.childForFieldName("match");
}
const longType = (node: Node) =>
  node.endIndex - node.startIndex > 120 ? node.childForFieldName("type") : null;
const recordOf = (node: Node): Node | null =>
  node.descendantsOfType("fields")[0] ?? node.descendantsOfType("record")[0] ?? null;
const constructorName = (node: Node) =>
  node.descendantsOfType(["constructor", "constructor_operator"])[0]?.text;

/** `Has Store` of `instance Has (Store a) where`. */
const instanceName = (node: Node) => node.childForFieldName("name")?.text ?? "";

/** Of `add a b`, of `a <+> b` and of `(<+>) a b`. */
function nameOf(node: Node): string | undefined {
  const name = node.childForFieldName("name");
  if (name) return name.text.replace(/^\(\s*|\s*\)$/g, "");
  const infix = node.namedChildren.find(({ type }) => type === "infix");
  return infix?.childForFieldName("operator")?.text.replace(/^`|`$/g, "");
}

/** A function of several equations is one symbol, which starts with its signature. */
function isFirst(node: Node): boolean {
  let before = node.previousNamedSibling;
  while (before?.type === "comment" || before?.type === "pragma") before = before.previousNamedSibling;
  return before === null || !isPartOf(before, node);
}

const PARTS = new Set(["signature", "function", "bind"]);
const isPartOf = (other: Node, node: Node) => PARTS.has(other.type) && nameOf(other) === nameOf(node);

function lastEquation(node: Node): Node | undefined {
  let last: Node | undefined;
  for (let next = node.nextNamedSibling; next; next = next.nextNamedSibling) {
    if (isPartOf(next, node)) last = next;
    else if (next.type !== "comment" && next.type !== "pragma") break;
  }
  return last;
}

function haddock(comments: readonly string[]): string {
  return comments
    .filter((comment) => !comment.startsWith("{-#"))
    .flatMap((comment) => comment.replace(/^\{-\s*\|?|-\}$/g, "").split("\n"))
    .map((line) => line.replace(/^\s*--+\s?[|^]?\s?/, "").trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\s*\n+|\n+\s*$/g, "")
    .trim();
}
