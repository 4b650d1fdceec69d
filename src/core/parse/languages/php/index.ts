import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { callable, nodeRules } from "../../node-rules.ts";
import type { Declaration, Place } from "../../rules.ts";

const type = (kind: string) => ({ kind, members: true });

export const php = defineLanguage({
  id: "php",
  name: "PHP",
  extensions: ["php", "phtml", "php5", "php7", "inc"],
  interpreters: ["php"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm",
  parameters: ["property_promotion_parameter .", "simple_parameter ."],
  rules: nodeRules({
    comments: ["comment"],
    commentStarts: /\/[/*]|#/,
    attributes: ["attribute_list"],
    holders: ["if_statement", "else_clause", "compound_statement", "colon_block", "else_if_clause"],
    facts: {
      namespace_definition: (node) => ({ packageName: node.childForFieldName("name")?.text ?? "" }),
      namespace_use_declaration: (node) => ({ imports: imported(node) }),
      declare_statement: () => ({}),
      php_tag: () => ({}),
    },
    declarations: {
      namespace_definition: (node) => ({ inside: node.childForFieldName("body")?.children ?? [] }),
      class_declaration: type("class"),
      interface_declaration: type("interface"),
      trait_declaration: type("class"),
      enum_declaration: type("enum"),
      enum_case: { kind: "const" },
      method_declaration: { kind: "method" },
      function_definition: { kind: callable },
      const_declaration: constants,
      property_declaration: properties,
      expression_statement: defined,
    },
    isExported: isPublic,
  }),
});

function isPublic(node: Node) {
  return !node.children.some((child) => child.type === "visibility_modifier" && child.text !== "public");
}

function imported(node: Node): readonly string[] {
  const prefix = node.namedChildren.find((child) => child.type === "namespace_name");
  const clauses = node.descendantsOfType("namespace_use_clause");
  return clauses.map((clause) => `${prefix ? `${prefix.text}\\` : ""}${clause.namedChild(0)?.text ?? ""}`);
}

function constants(node: Node): readonly Declaration[] {
  return node.namedChildren
    .filter((child) => child.type === "const_element")
    .map((element) => ({
      name: element.namedChild(0)?.text ?? "",
      kind: "const",
      exported: isPublic(node),
      body: isLong(node) ? element.namedChild(1) : null,
    }));
}

function properties(node: Node): readonly Declaration[] {
  return node.namedChildren
    .filter((child) => child.type === "property_element")
    .map((element) => ({
      name: (element.childForFieldName("name")?.text ?? "").replace(/^\$/, ""),
      kind: "field",
      exported: isPublic(node),
      head: node.children.find((child) => child.type !== "attribute_list") ?? node,
      body: isLong(node) ? element.childForFieldName("default_value") : null,
    }));
}

/** `define("NAME", 1)` */
function defined(node: Node, place: Place): readonly Declaration[] | undefined {
  const call = node.namedChild(0);
  if (place.parent !== undefined || call?.childForFieldName("function")?.text !== "define") return undefined;
  const name = call
    .childForFieldName("arguments")
    ?.namedChild(0)
    ?.text.replace(/^["']|["']$/g, "");
  return name ? [{ name, kind: "const", exported: true }] : undefined;
}

const isLong = (node: Node) => node.endIndex - node.startIndex > 120;
