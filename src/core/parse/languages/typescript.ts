import type { Node } from "web-tree-sitter";
import { commentText } from "../comments.ts";
import type { Declaration, Holder, Place, Rules } from "../rules.ts";
import { oneLine, signatureOf } from "../signature.ts";

const MAX_VALUE_LENGTH = 80;
const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function"]);

/** TypeScript, TSX, JavaScript and JSX: one set of rules, since their grammars share their names. */
export const typescriptRules: Rules = {
  comments: new Set(["comment"]),
  between: new Set(["decorator"]),
  commentStarts: /\/[/*]/,
  header(node, type) {
    if (type === "import_statement") return { imports: sourceOf(node) };
    if (type === "export_statement" && node.childForFieldName("source")) return { imports: sourceOf(node) };
    return undefined;
  },
  fileDoc(_root, comments) {
    const first = comments[0]?.text ?? "";
    return /@(?:fileoverview|file|module|packageDocumentation)\b/.test(first) ? commentText([first]) : "";
  },
  declares,
};

function declares(node: Node, type: string, place: Place): readonly Declaration[] | Holder | undefined {
  switch (type) {
    case "export_statement":
      return exported(node, place);
    case "function_declaration":
    case "generator_function_declaration":
    case "function_signature":
      return [named(node, place.parent === undefined ? "function" : "method")];
    case "class_declaration":
    case "abstract_class_declaration":
    case "class":
      return [holding(node, "class")];
    case "interface_declaration":
      return [named(node, "interface")];
    case "enum_declaration":
      return [named(node, "enum")];
    case "type_alias_declaration":
      return [{ ...named(node, "type"), body: node.childForFieldName("value") }];
    case "internal_module":
    case "module":
      return [holding(node, "module")];
    case "lexical_declaration":
    case "variable_declaration":
      return variables(node, place.text);
    case "ambient_declaration":
    case "expression_statement":
      return statement(node, place);
    case "statement_block":
      return place.parent === undefined ? { inside: node.children } : undefined;
    case "method_definition":
    case "abstract_method_signature":
    case "public_field_definition":
    case "field_definition":
      return member(node);
    default:
      return undefined;
  }
}

function exported(node: Node, place: Place): readonly Declaration[] | Holder | undefined {
  const inner = node.childForFieldName("declaration") ?? node.childForFieldName("value");
  if (inner === null) return undefined;
  const found = FUNCTIONS.has(inner.type)
    ? [{ ...named(inner, "function"), name: nameOf(inner) || "default" }]
    : declares(inner, inner.type, place);
  if (found === undefined) return defaultValue(node, inner);
  if ("inside" in found) return found;
  return found.map((declaration) => ({
    ...declaration,
    name: declaration.name || "default",
    exported: true,
    head: keywordOf(node),
  }));
}

function defaultValue(node: Node, inner: Node): readonly Declaration[] {
  return [{ name: "default", kind: "const", exported: true, body: inner, end: node }];
}

/** The first token after decorators. */
const keywordOf = (node: Node): Node => node.children.find((child) => child.type === "export") ?? node;

function named(node: Node, kind: string): Declaration {
  const head = node.children.find((child) => child.type !== "decorator") ?? node;
  return { name: nameOf(node), kind, exported: false, body: node.childForFieldName("body"), head };
}

const holding = (node: Node, kind: string): Declaration => ({
  ...named(node, kind),
  members: node.childForFieldName("body"),
});

const nameOf = (node: Node) => (node.childForFieldName("name")?.text ?? "").replace(/^["']|["']$/g, "");

function variables(node: Node, text: string): readonly Declaration[] {
  const keyword = node.child(0)?.text ?? "const";
  return node.namedChildren
    .filter((child) => child.type === "variable_declarator")
    .map((declarator) => variable(declarator, keyword, text));
}

function variable(node: Node, keyword: string, text: string): Declaration {
  const value = node.childForFieldName("value");
  const name = oneLine(node.childForFieldName("name")?.text ?? "");
  const isFunction = value !== null && FUNCTIONS.has(value.type);
  const body = isFunction ? value.childForFieldName("body") : isLong(node) ? value : null;
  const head = signatureOf(text, node, { body }, typescriptRules);
  return {
    name,
    kind: isFunction ? "function" : keyword === "const" ? "const" : "var",
    exported: false,
    signature: `${keyword} ${head.replace(/ (?:=>|=)$/, "")}`,
  };
}

const isLong = (node: Node) => node.endIndex - node.startIndex > MAX_VALUE_LENGTH;

/** `declare …`, `namespace …`, and what CommonJS exports by assignment. */
function statement(node: Node, place: Place): readonly Declaration[] | Holder | undefined {
  const inner = node.namedChild(0);
  if (inner === null) return undefined;
  if (inner.type !== "assignment_expression") return declares(inner, inner.type, place);
  const target = /^(?:module\.)?exports\.([\w$]+)$|^[\w$]+\.prototype\.([\w$]+)$/.exec(
    inner.childForFieldName("left")?.text ?? "",
  );
  const value = inner.childForFieldName("right");
  if (target === null || value === null) return undefined;
  return [
    {
      name: target[1] ?? target[2] ?? "",
      kind: FUNCTIONS.has(value.type) ? "function" : "const",
      exported: true,
      body: value.childForFieldName("body") ?? (isLong(inner) ? value : null),
    },
  ];
}

/** Methods, and fields that hold functions; other fields are found with their class. */
function member(node: Node): readonly Declaration[] | undefined {
  const value = node.childForFieldName("value");
  const isField = node.type.endsWith("field_definition");
  if (isField && (value === null || !FUNCTIONS.has(value.type))) return undefined;
  const name = (node.childForFieldName("name") ?? node.childForFieldName("property"))?.text ?? "";
  const isPrivate =
    name.startsWith("#") ||
    node.children.some((child) => child.type === "accessibility_modifier" && child.text !== "public");
  const body = (isField ? value : node)?.childForFieldName("body") ?? null;
  const head = node.children.find((child) => child.type !== "decorator") ?? node;
  return [{ name, kind: "method", exported: !isPrivate, body, head }];
}

const sourceOf = (node: Node): readonly string[] => {
  const source = node.childForFieldName("source")?.text;
  return source === undefined ? [] : [source.slice(1, -1)];
};
