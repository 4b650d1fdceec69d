import type { Node } from "web-tree-sitter";
import type { ParsedImport } from "../../references/references.ts";

/** What a statement imports from other modules, or exports under another name. */
export function importsOf(node: Node): readonly ParsedImport[] {
  switch (node.type) {
    case "import_statement":
      return imported(node);
    case "export_statement":
      return exported(node);
    case "variable_declarator":
      return required(node);
    case "assignment_expression":
      return assigned(node);
    default:
      return [];
  }
}

const sourceOf = (node: Node | null) => unquoted(node?.childForFieldName("source")?.text ?? "");
const unquoted = (text: string) => text.replace(/^["'`]|["'`]$/g, "");

function imported(node: Node): readonly ParsedImport[] {
  const from = sourceOf(node);
  const found: ParsedImport[] = [];
  for (const clause of node.namedChildren) {
    // `import x = require("y")`
    if (clause.type === "import_require_clause") {
      const local = clause.namedChildren.find(({ type }) => type === "identifier")?.text ?? "";
      found.push({ local, from: sourceOf(clause), name: "default" });
    }
    if (clause.type !== "import_clause") continue;
    for (const part of clause.namedChildren) {
      if (part.type === "identifier") found.push({ local: part.text, from, name: "default" });
      if (part.type === "namespace_import") found.push({ local: part.namedChild(0)?.text ?? "", from });
      if (part.type === "named_imports")
        found.push(...specifiers(part).map(({ name, alias }) => ({ local: alias, from, name })));
    }
  }
  return found;
}

function exported(node: Node): readonly ParsedImport[] {
  const from = sourceOf(node);
  const value = node.childForFieldName("value");
  if (value?.type === "identifier") return [{ local: "default", from: "", name: value.text, isExport: true }];
  const declaration = node.childForFieldName("declaration");
  const name = declaration?.childForFieldName("name")?.text;
  if (name !== undefined && node.children.some(({ type }) => type === "default"))
    return [{ local: "default", from: "", name, isExport: true }];
  const clause = node.namedChildren.find(
    ({ type }) => type === "export_clause" || type === "namespace_export",
  );
  if (clause?.type === "namespace_export")
    return [{ local: clause.namedChild(0)?.text ?? "", from, isExport: true }];
  if (clause)
    return specifiers(clause).map(({ name, alias }) => ({ local: alias, from, name, isExport: true }));
  return from === "" ? [] : [{ local: "", from, name: "*", isExport: true }];
}

const specifiers = (node: Node) =>
  node.namedChildren
    .filter(({ type }) => type === "import_specifier" || type === "export_specifier")
    .map((specifier) => {
      const name = unquoted(specifier.childForFieldName("name")?.text ?? "");
      return { name, alias: unquoted(specifier.childForFieldName("alias")?.text ?? name) };
    });

/** `const x = require("y")`, `const { a, b: c } = require("y")` and `const d = require("y").e`. */
function required(node: Node): readonly ParsedImport[] {
  const value = node.childForFieldName("value");
  const from = moduleOf(value);
  const name = node.childForFieldName("name");
  if (from === undefined || name === null) return [];
  const member = value?.type === "member_expression" ? value.childForFieldName("property")?.text : undefined;
  if (name.type === "identifier") return [{ local: name.text, from, name: member ?? "default" }];
  return name.namedChildren.flatMap((part) => {
    if (part.type === "shorthand_property_identifier_pattern")
      return [{ local: part.text, from, name: part.text }];
    const key = part.childForFieldName("key")?.text;
    const local = part.childForFieldName("value");
    return key !== undefined && local?.type === "identifier" ? [{ local: local.text, from, name: key }] : [];
  });
}

function moduleOf(value: Node | null): string | undefined {
  const call = value?.type === "member_expression" ? value.childForFieldName("object") : value;
  if (call?.type !== "call_expression" || call.childForFieldName("function")?.text !== "require")
    return undefined;
  const [argument] = call.childForFieldName("arguments")?.namedChildren ?? [];
  return argument?.type === "string" ? unquoted(argument.text) : undefined;
}

/** `module.exports = x`, `exports.y = x` and `module.exports = { a, b: c }`. */
function assigned(node: Node): readonly ParsedImport[] {
  const left = node.childForFieldName("left")?.text ?? "";
  const right = node.childForFieldName("right");
  const member = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1];
  const local = member ?? (/^(?:module\.)?exports$/.test(left) ? "default" : undefined);
  if (local === undefined || right === null) return [];
  const from = moduleOf(right);
  if (from !== undefined) return [{ local, from, name: "default", isExport: true }];
  if (right.type === "identifier") return [{ local, from: "", name: right.text, isExport: true }];
  if (local !== "default" || right.type !== "object") return [];
  return right.namedChildren.flatMap((part): ParsedImport[] => {
    if (part.type === "shorthand_property_identifier")
      return [{ local: part.text, from: "", name: part.text, isExport: true }];
    const key = part.childForFieldName("key")?.text;
    const value = part.childForFieldName("value");
    if (key === undefined || value === null) return [];
    const source = moduleOf(value);
    if (source !== undefined) return [{ local: key, from: source, name: "default", isExport: true }];
    return value.type === "identifier" ? [{ local: key, from: "", name: value.text, isExport: true }] : [];
  });
}
