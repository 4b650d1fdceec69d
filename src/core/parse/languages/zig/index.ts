import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { callable, nodeRules } from "../../node-rules.ts";
import type { Declaration } from "../../rules.ts";

const TYPES: Readonly<Record<string, string>> = {
  struct_declaration: "struct",
  union_declaration: "struct",
  enum_declaration: "enum",
  opaque_declaration: "struct",
  error_set_declaration: "enum",
};

export const zig = defineLanguage({
  id: "zig",
  name: "Zig",
  extensions: ["zig", "zon"],
  interpreters: ["zig"],
  grammar: "@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm",
  parameters: ["parameter name:", "parameter ."],
  rules: nodeRules({
    comments: ["comment"],
    commentStarts: /\/\//,
    fileDoc: (_root, comments) =>
      comments
        .map(({ text }) => text)
        .filter((text) => text.startsWith("//!"))
        .map((text) => text.slice(3).trim())
        .join("\n"),
    facts: { variable_declaration: imported },
    declarations: {
      variable_declaration: variable,
      function_declaration: { kind: callable, members: (node) => returnedType(node) },
      container_field: {
        kind: (_node, place) => (place.parentKind === "enum" ? "const" : "field"),
        name: fieldName,
      },
      test_declaration: {
        kind: "function",
        name: (node) => node.namedChild(0)?.text.replace(/^"|"$/g, ""),
        body: (node) => node.namedChildren.at(-1) ?? null,
      },
    },
    isExported: isPublic,
  }),
});

function isPublic(node: Node) {
  return (
    node.type === "container_field" ||
    node.children.some(({ type }) => type === "pub") ||
    /^pub\b/.test(node.text.slice(0, 4))
  );
}
const nameOf = (node: Node) => node.namedChildren.find(({ type }) => type === "identifier")?.text ?? "";
const valueNode = (node: Node) => node.namedChildren.at(-1) ?? null;

/** In an enum a field has a name only, which the grammar takes for a type. */
function fieldName(node: Node) {
  return (
    node.childForFieldName("name")?.text ?? node.childForFieldName("type")?.text ?? node.namedChild(0)?.text
  );
}

function imported(node: Node) {
  const value = valueNode(node);
  const path =
    value?.type === "builtin_function" ? /^@import\(\s*"([^"]+)"/.exec(value.text)?.[1] : undefined;
  return path === undefined ? undefined : { imports: [path] };
}

function variable(node: Node): readonly Declaration[] | undefined {
  const value = valueNode(node);
  const name = nameOf(node);
  if (name === "" || (value?.type === "builtin_function" && value.text.startsWith("@import(")))
    return undefined;
  const kind = value ? TYPES[value.type] : undefined;
  const exported = isPublic(node);
  if (value && kind !== undefined) return [{ name, kind, exported, body: bodyOf(value), members: value }];
  const isConstant = node.children.some(({ type }) => type === "const");
  return [
    {
      name,
      kind: isConstant ? "const" : "var",
      exported,
      body: node.endIndex - node.startIndex > 80 ? value : null,
    },
  ];
}

/** The bracket after `struct`. */
const bodyOf = (type: Node) => type.children.find(({ type: kind }) => kind === "{") ?? type;

/** Zig's generics are functions that return a struct: its members are theirs. */
function returnedType(node: Node): Node | null {
  if (node.childForFieldName("type")?.text !== "type") return null;
  const body = node.childForFieldName("body");
  const returns = body?.namedChildren.findLast((child) => /^return\b/.test(child.text.slice(0, 7)));
  return returns?.descendantsOfType(Object.keys(TYPES))[0] ?? null;
}
