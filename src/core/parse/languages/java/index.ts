import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import type { Declaration, MemberNames, Rules } from "../../rules.ts";
import { javaModules } from "./modules.ts";
import { javaReferences } from "./references.ts";

const TYPES: Readonly<Record<string, string>> = {
  class_declaration: "class",
  record_declaration: "class",
  interface_declaration: "interface",
  annotation_type_declaration: "interface",
  enum_declaration: "enum",
};
const CONSTANT = ["static", "final"] as const;
/** Longer values are data, not a signature. */
const MAX_VALUE_LENGTH = 80;

const javaRules: Rules = {
  comments: new Set(["line_comment", "block_comment"]),
  commentStarts: /\/[/*]/,
  header(node, type) {
    if (type === "package_declaration") return { packageName: node.namedChildren.at(-1)?.text ?? "" };
    return type === "import_declaration" ? { imports: [node.namedChild(0)?.text ?? ""] } : undefined;
  },
  declares(node, type) {
    const kind = TYPES[type];
    if (kind !== undefined) return [{ ...declared(node, kind), members: node.childForFieldName("body") }];
    switch (type) {
      case "method_declaration":
      case "constructor_declaration":
      case "compact_constructor_declaration":
      case "annotation_type_element_declaration":
        return [declared(node, "method")];
      case "enum_constant":
        return [declared(node, "const")];
      case "constant_declaration":
      case "field_declaration":
        return fields(node);
      case "enum_body_declarations":
        return { inside: node.children };
      default:
        return undefined;
    }
  },
};

/** Fields that never change are symbols; others are found with their class. In an interface all are such. */
function fields(node: Node): readonly Declaration[] | MemberNames {
  const written = modifiersOf(node)?.children.map(({ type }) => type) ?? [];
  const isConstant = node.type === "constant_declaration" || CONSTANT.every((word) => written.includes(word));
  if (!isConstant) return fieldNames(node);
  const isLong = node.endIndex - node.startIndex > MAX_VALUE_LENGTH;
  return node.childrenForFieldName("declarator").map((declarator) => ({
    ...declared(node, "const"),
    name: declarator.childForFieldName("name")?.text ?? "",
    body: isLong ? declarator.childForFieldName("value") : null,
  }));
}

function fieldNames(node: Node): MemberNames {
  const { exported } = declared(node, "field");
  const names = node
    .childrenForFieldName("declarator")
    .map((each) => each.childForFieldName("name")?.text ?? "");
  return { names: names.map((name) => ({ name, kind: "field", exported })) };
}

function declared(node: Node, kind: string): Declaration {
  const modifiers = modifiersOf(node);
  const isHidden = modifiers?.children.some((child) => child.type === "private") ?? false;
  const head = firstAfterAnnotations(modifiers) ?? nextOf(node, modifiers);
  return {
    name: node.childForFieldName("name")?.text ?? "",
    kind,
    exported: !isHidden,
    body: node.childForFieldName("body"),
    ...(head && { head }),
  };
}

const modifiersOf = (node: Node) => node.namedChildren.find((child) => child.type === "modifiers");

const firstAfterAnnotations = (modifiers: Node | undefined) =>
  modifiers?.children.find((child) => !child.type.endsWith("annotation"));

const nextOf = (node: Node, modifiers: Node | undefined) =>
  modifiers && node.children.find((child) => child.startIndex >= modifiers.endIndex);

export const java = defineLanguage({
  id: "java",
  name: "Java",
  extensions: ["java"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm",
  rules: javaRules,
  references: javaReferences,
  modules: javaModules,
});
