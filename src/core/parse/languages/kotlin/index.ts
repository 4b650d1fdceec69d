import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { childOfType, nodeRules, textOfChild } from "../../node-rules.ts";
import type { Declaration, Place } from "../../rules.ts";

const body = childOfType("class_body", "enum_class_body");

export const kotlin = defineLanguage({
  id: "kotlin",
  name: "Kotlin",
  extensions: ["kt", "kts"],
  interpreters: ["kotlin"],
  grammar: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  parameters: [
    "type_parameter .",
    "class_parameter .",
    "function_value_parameters name:",
    "function_value_parameters .",
    "parameter .",
  ],
  rules: nodeRules({
    recovery: {
      extent: "brackets",
      comment: /^\s*(?:\/\/|\*)/,
      block: { start: /^\s*\/\*/, end: /\*\// },
      definitions: [
        {
          kind: "class",
          match: /^\s*(?:[a-z]+\s+){0,5}(?:class|object|interface)\s+(?<name>\w+)/,
          isHolder: true,
        },
        {
          kind: "function",
          match: /^\s*(?:[a-z]+\s+){0,6}fun\s+(?:<[^>]{0,80}>\s*)?(?:[\w.<>?, ]+\.)?(?<name>\w+)\s*\(/,
        },
      ],
    },
    comments: ["line_comment", "block_comment", "shebang"],
    commentStarts: /\/[/*]/,
    attributes: ["annotation"],
    holders: ["statements", "import_list"],
    facts: {
      package_header: (node) => ({ packageName: node.namedChild(0)?.text ?? "" }),
      import: (node) => ({ imports: [node.namedChild(0)?.text ?? ""] }),
      import_header: (node) => ({ imports: [node.namedChild(0)?.text ?? ""] }),
      file_annotation: () => ({}),
    },
    declarations: {
      class_declaration: { kind: classKind, body, members: body },
      object_declaration: { kind: "class", body, members: body },
      companion_object: {
        kind: "class",
        name: (node) => node.childForFieldName("name")?.text ?? "Companion",
        body,
        members: body,
      },
      function_declaration: {
        kind: (_node, place) => (place.parent === undefined ? "function" : "method"),
        body: childOfType("function_body"),
        parent: (node) => extended(node),
      },
      secondary_constructor: {
        kind: "method",
        name: () => "constructor",
        body: childOfType("block", "constructor_delegation_call"),
      },
      property_declaration: properties,
      enum_entry: { kind: "const", name: textOfChild("identifier", "simple_identifier") },
      type_alias: {
        kind: "type",
        name: (node) => node.childForFieldName("type")?.text ?? textOfChild("identifier")(node),
      },
    },
    isExported: isPublic,
  }),
});

function classKind(node: Node) {
  const words = node.children.map(({ type, text }) => (type === "modifiers" ? text : type)).join(" ");
  if (/\benum\b/.test(words)) return "enum";
  return /\binterface\b/.test(words) ? "interface" : "class";
}

function isPublic(node: Node) {
  const modifiers = node.children.find(({ type }) => type === "modifiers");
  return modifiers === undefined || !/\b(?:private|protected|internal)\b/.test(modifiers.text.slice(0, 200));
}

/** `List` of `fun <T> List<T>.second()`. */
function extended(node: Node): string | undefined {
  const name = node.childForFieldName("name");
  const before = node.namedChildren.findLast(
    (child) => name && child.endIndex <= name.startIndex && /type$/.test(child.type),
  );
  return before && /^[\w.]*?(\w+)(?=[<?]|$)/.exec(before.text)?.[1];
}

function properties(node: Node, place: Place): readonly Declaration[] {
  const words = node.children.map(({ type, text }) => (type === "modifiers" ? text : type)).join(" ");
  const isConstant = /\bconst\b/.test(words) || (place.parent === undefined && /\bval\b/.test(words));
  const names = node.namedChildren
    .flatMap((child) => (child.type === "multi_variable_declaration" ? child.namedChildren : [child]))
    .filter((child) => child.type === "variable_declaration");
  const value = node.namedChildren.find((child) => names.some((name) => child.startIndex > name.endIndex));
  const modifiers = node.children.find(({ type }) => type === "modifiers");
  const head =
    modifiers?.children.find(({ type }) => type !== "annotation") ??
    node.children.find(({ type }) => type !== "modifiers" && type !== "annotation");
  return names.map((name) => ({
    name: name.namedChild(0)?.text ?? "",
    kind: isConstant ? "const" : place.parent === undefined ? "var" : "field",
    exported: isPublic(node),
    body: node.endIndex - node.startIndex > 80 ? (value ?? null) : null,
    ...(head && { head }),
  }));
}
