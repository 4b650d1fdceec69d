import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { callable, nodeRules } from "../../node-rules.ts";
import type { Declaration, Holder, Place } from "../../rules.ts";

const KINDS: Readonly<Record<string, string>> = {
  class: "class",
  struct: "struct",
  enum: "enum",
  actor: "class",
};

export const swift = defineLanguage({
  id: "swift",
  name: "Swift",
  extensions: ["swift"],
  interpreters: ["swift"],
  grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm",
  parameters: [
    "lambda_parameter name:",
    "lambda_parameter .",
    "parameter name:",
    "parameter .",
    "enum_type_parameters name:",
    "enum_type_parameters .",
  ],
  rules: nodeRules({
    comments: ["comment", "multiline_comment"],
    commentStarts: /\/[/*]/,
    attributes: ["attribute"],
    facts: { import_declaration: (node) => ({ imports: [node.namedChildren.at(-1)?.text ?? ""] }) },
    declarations: {
      class_declaration: classLike,
      protocol_declaration: { kind: "interface", members: true },
      function_declaration: { kind: callable },
      protocol_function_declaration: { kind: "method" },
      init_declaration: { kind: "method", name: () => "init" },
      deinit_declaration: { kind: "method", name: () => "deinit" },
      subscript_declaration: {
        kind: "method",
        name: () => "subscript",
        body: (node) => node.namedChildren.at(-1) ?? null,
      },
      property_declaration: properties,
      protocol_property_declaration: {
        kind: "field",
        name: (node) => boundName(node.childForFieldName("name")),
      },
      enum_entry: entries,
      typealias_declaration: { kind: "type", body: () => null },
      associatedtype_declaration: { kind: "type" },
      macro_declaration: { kind: "macro" },
    },
    isExported: isPublic,
    // The grammar loses its way in conditions of the compiler and in new syntax.
    recovery: {
      extent: "brackets",
      comment: /^\s*\/\//,
      block: { start: /^\s*\/\*/, end: /\*\// },
      text: { start: /"""(?!.*""")/, end: /"""/ },
      definitions: [
        {
          kind: "class",
          match: /^\s*(?:@\w+\s+|[a-z]+\s+){0,5}(?:class|actor)\s+(?!func\b|var\b)(?<name>\w+)/,
          isHolder: true,
        },
        { kind: "struct", match: /^\s*(?:@\w+\s+|[a-z]+\s+){0,5}struct\s+(?<name>\w+)/, isHolder: true },
        { kind: "enum", match: /^\s*(?:@\w+\s+|[a-z]+\s+){0,5}enum\s+(?<name>\w+)/, isHolder: true },
        { kind: "interface", match: /^\s*(?:@\w+\s+|[a-z]+\s+){0,5}protocol\s+(?<name>\w+)/, isHolder: true },
        { kind: "function", match: /^\s*(?:@\w+\s+|[a-z]+\s+){0,6}func\s+(?<name>\w+)\s*[(<]/ },
      ],
    },
  }),
});

function isPublic(node: Node) {
  return !/\b(?:private|fileprivate)\b/.test(modifiersOf(node)?.text.slice(0, 200) ?? "");
}
const modifiersOf = (node: Node) => node.children.find(({ type }) => type === "modifiers");
const afterAttributes = (node: Node) =>
  modifiersOf(node)?.children.find(({ type }) => type !== "attribute") ??
  node.children.find(({ type }) => type !== "modifiers" && type !== "attribute") ??
  node;

function classLike(node: Node): readonly Declaration[] | Holder | undefined {
  const keyword = node.childForFieldName("declaration_kind")?.type ?? "class";
  const name = node.childForFieldName("name")?.text ?? "";
  const body = node.childForFieldName("body");
  // What an extension adds belongs to the type it extends.
  if (keyword === "extension")
    return { inside: body?.children ?? [], parent: /(\w+)\s*(?:<|$)/.exec(name)?.[1] ?? name };
  return [
    {
      name,
      kind: KINDS[keyword] ?? "class",
      exported: isPublic(node),
      body,
      members: body,
      head: afterAttributes(node),
    },
  ];
}

function properties(node: Node, place: Place): readonly Declaration[] {
  const isLet = node.namedChildren.some(
    (child) => child.type === "value_binding_pattern" && child.text.startsWith("let"),
  );
  const isMember = place.parent !== undefined;
  const kind = isMember ? "field" : isLet ? "const" : "var";
  const value =
    node.childForFieldName("computed_value") ??
    (node.endIndex - node.startIndex > 80 ? node.childForFieldName("value") : null);
  return node.childrenForFieldName("name").flatMap((pattern) => {
    const name = boundName(pattern);
    return name === ""
      ? []
      : [{ name, kind, exported: isPublic(node), body: value, head: afterAttributes(node) }];
  });
}

const boundName = (pattern: Node | null) =>
  (pattern?.childForFieldName("bound_identifier") ?? (pattern?.type === "simple_identifier" ? pattern : null))
    ?.text ?? "";

function entries(node: Node): readonly Declaration[] {
  return node
    .childrenForFieldName("name")
    .map((name) => ({ name: name.text, kind: "const", exported: true }));
}
