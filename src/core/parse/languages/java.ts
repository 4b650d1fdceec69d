import type { Node } from "web-tree-sitter";
import type { Declaration, Rules } from "../rules.ts";

const TYPES: Readonly<Record<string, string>> = {
  class_declaration: "class",
  record_declaration: "class",
  interface_declaration: "interface",
  annotation_type_declaration: "interface",
  enum_declaration: "enum",
};

export const javaRules: Rules = {
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
        return [declared(node, "method")];
      case "enum_body_declarations":
        return { inside: node.children };
      default:
        return undefined;
    }
  },
};

function declared(node: Node, kind: string): Declaration {
  const modifiers = node.namedChildren.find((child) => child.type === "modifiers");
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

const firstAfterAnnotations = (modifiers: Node | undefined) =>
  modifiers?.children.find((child) => !child.type.endsWith("annotation"));

const nextOf = (node: Node, modifiers: Node | undefined) =>
  modifiers && node.children.find((child) => child.startIndex >= modifiers.endIndex);
