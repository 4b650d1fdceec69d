import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { childOfType, nodeRules } from "../../node-rules.ts";
import type { Declaration, Place } from "../../rules.ts";

const body = (node: Node) =>
  node.childForFieldName("body") ?? childOfType("class_body", "extension_body", "enum_body")(node);
const firstName = (node: Node) =>
  node.childForFieldName("name")?.text ?? childOfType("identifier", "type_identifier")(node)?.text;
const SIGNATURES = [
  ...[
    "function_signature",
    "getter_signature",
    "setter_signature",
    "operator_signature",
    "constructor_signature",
  ],
  ...[
    "factory_constructor_signature",
    "constant_constructor_signature",
    "redirecting_factory_constructor_signature",
  ],
];

export const dart = defineLanguage({
  id: "dart",
  name: "Dart",
  extensions: ["dart"],
  interpreters: ["dart"],
  grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm",
  parameters: [
    "catch_parameters .",
    "optional_formal_parameters name:",
    "optional_formal_parameters .",
    "formal_parameter name:",
    "formal_parameter .",
    "super_formal_parameter .",
  ],
  rules: nodeRules({
    comments: ["comment", "documentation_comment"],
    commentStarts: /\/[/*]/,
    attributes: ["annotation"],
    // The grammar writes a variable at the top as a row of siblings.
    between: [
      "annotation",
      "const_builtin",
      "final_builtin",
      "type_identifier",
      "void_type",
      "nullable_type",
      "type_arguments",
      "inferred_type",
      "function_type",
    ],
    facts: {
      library_name: (node) => ({ packageName: node.namedChild(0)?.text ?? "" }),
      import_or_export: (node) => ({ imports: [/["']([^"']+)["']/.exec(node.text)?.[1] ?? ""] }),
      part_of_directive: () => ({}),
      part_directive: () => ({}),
    },
    declarations: {
      class_definition: { kind: "class", members: true },
      mixin_declaration: { kind: "class", name: firstName, body, members: body },
      extension_declaration: { kind: "class", name: firstName, body, members: body },
      extension_type_declaration: { kind: "class", name: firstName, body, members: body },
      enum_declaration: { kind: "enum", members: true },
      enum_constant: { kind: "const" },
      type_alias: { kind: "type", name: firstName, body: () => null },
      method_signature: (node, place) => method(node.namedChild(0), node, place),
      function_signature: (node, place) => method(node, node, place),
      getter_signature: (node, place) => method(node, node, place),
      setter_signature: (node, place) => method(node, node, place),
      declaration: member,
      static_final_declaration_list: (node) => variables(node, "const", node),
      initialized_identifier_list: (node) => variables(node, "var", node),
    },
    isExported: (_node, name) => !name.startsWith("_"),
  }),
});

function member(node: Node, place: Place): readonly Declaration[] | undefined {
  const signature = node.namedChildren.find(({ type }) => SIGNATURES.includes(type));
  if (signature) return method(signature, node, place);
  const list = childOfType("static_final_declaration_list", "initialized_identifier_list")(node);
  const isConstant = node.children.some(({ type }) => type === "const_builtin");
  return list ? variables(list, isConstant ? "const" : "field", node) : undefined;
}

/** The body is the sibling after the head. */
function method(signature: Node | null, node: Node, place: Place): readonly Declaration[] | undefined {
  if (!signature || !SIGNATURES.includes(signature.type)) return undefined;
  const name = signatureName(signature);
  const next = node.nextNamedSibling;
  const end = next?.type === "function_body" ? next : node;
  const kind = place.parent === undefined ? "function" : "method";
  return [{ name, kind, exported: !name.startsWith("_"), end }];
}

function signatureName(node: Node): string {
  if (node.type === "operator_signature")
    return `operator ${node.namedChildren.find(({ type }) => type.endsWith("operator"))?.text ?? ""}`;
  const names = node.childrenForFieldName("name").filter(({ type }) => type === "identifier");
  const parts = names.length > 0 ? names : node.namedChildren.filter(({ type }) => type === "identifier");
  return parts.map(({ text }) => text).join(".");
}

const variables = (list: Node, kind: string, node: Node): readonly Declaration[] =>
  list.namedChildren.map((child) => {
    const name = child.namedChildren.find(({ type }) => type === "identifier")?.text ?? child.text;
    const isLong = node.endIndex - node.startIndex > 80;
    return {
      name,
      kind,
      exported: !name.startsWith("_"),
      body: isLong ? (child.namedChildren.at(-1) ?? null) : null,
    };
  });
