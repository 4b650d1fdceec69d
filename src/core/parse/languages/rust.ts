import type { Node } from "web-tree-sitter";
import { commentText } from "../comments.ts";
import type { Declaration, Rules } from "../rules.ts";

const KINDS: Readonly<Record<string, string>> = {
  struct_item: "struct",
  union_item: "struct",
  enum_item: "enum",
  type_item: "type",
  associated_type: "type",
  const_item: "const",
  static_item: "var",
  macro_definition: "macro",
};

export const rustRules: Rules = {
  comments: new Set(["line_comment", "block_comment"]),
  between: new Set(["attribute_item"]),
  commentStarts: /\/[/*]/,
  header(node, type) {
    if (type === "extern_crate_declaration") return { imports: [node.childForFieldName("name")?.text ?? ""] };
    return type === "use_declaration"
      ? { imports: [node.childForFieldName("argument")?.text ?? ""] }
      : undefined;
  },
  fileDoc: (_root, comments) =>
    commentText(comments.map((comment) => comment.text).filter((text) => text.startsWith("//!"))),
  declares(node, type, place) {
    switch (type) {
      case "function_item":
      case "function_signature_item":
        return [item(node, place.parent === undefined ? "function" : "method")];
      case "trait_item":
        return [{ ...item(node, "interface"), members: node.childForFieldName("body") }];
      case "mod_item":
        return moduleItem(node);
      case "impl_item":
        return {
          inside: node.childForFieldName("body")?.children ?? [],
          parent: baseName(node.childForFieldName("type")?.text ?? ""),
        };
      case "foreign_mod_item":
        return { inside: node.childForFieldName("body")?.children ?? [] };
      default: {
        const kind = KINDS[type];
        return kind === undefined ? undefined : [item(node, kind)];
      }
    }
  },
};

function item(node: Node, kind: string): Declaration {
  const body = node.childForFieldName("body") ?? (isLong(node) ? node.childForFieldName("value") : null);
  return {
    name: node.childForFieldName("name")?.text ?? "",
    kind,
    exported: node.namedChild(0)?.type === "visibility_modifier",
    body: kind === "macro" ? (node.namedChild(1) ?? null) : body,
  };
}

/** Declarations of an inline module stand in the file as any others. */
function moduleItem(node: Node) {
  const body = node.childForFieldName("body");
  return body ? { inside: body.children } : undefined;
}

const isLong = (node: Node) => node.endIndex - node.startIndex > 120;
const baseName = (type: string) => /(\w+)\s*(?:<|$)/.exec(type)?.[1] ?? type;
