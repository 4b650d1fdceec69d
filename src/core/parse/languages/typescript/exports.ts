import type { Node } from "web-tree-sitter";
import type { ExportedName } from "../../rules.ts";
import { assignmentOf, MODULE_MARK, requiredModule } from "./commonjs.ts";

/** The head of a function without its body. */
type Head = (node: Node, body: Node | null) => string;
type Found = Omit<ExportedName, "line">;

/** Export lists, re-exports, and what CommonJS exports by name: `export { a }`, `export * from`, `module.exports = { a }`. */
export function scriptExports(nodes: readonly Node[], text: string, head: Head): readonly ExportedName[] {
  if (!text.includes("export")) return [];
  const isCommonJs = text.includes("exports");
  const found = nodes.flatMap((node) => {
    const names = node.type === "export_statement" ? listed(node) : isCommonJs ? assigned(node, head) : [];
    return names.map((name) => ({ ...name, line: node.startPosition.row + 1 }));
  });
  if (found.every(({ from, declared }) => from !== undefined || declared === undefined)) return found;
  const imported = new Map(nodes.flatMap(bindings));
  return found.map((name) =>
    name.from === undefined && name.declared !== undefined
      ? { ...name, ...imported.get(name.declared) }
      : name,
  );
}

/** `export { a, b as c }`, `export * from`, `export default a`, `export = a`. */
function listed(node: Node): readonly Found[] {
  const source = node.childForFieldName("source");
  const from = source ? { from: unquoted(source) } : {};
  const inner = node.childForFieldName("value") ?? node.namedChild(0);
  switch (inner?.type) {
    case "export_clause":
      return inner.namedChildren
        .filter((child) => child.type === "export_specifier")
        .map((child) => {
          const declared = unquoted(child.childForFieldName("name"));
          return { name: unquoted(child.childForFieldName("alias")) || declared, declared, ...from };
        });
    case "namespace_export":
      return [{ name: unquoted(inner.namedChild(0)), declared: "*", ...from }];
    case "identifier":
      return [{ name: "default", declared: inner.text }];
    default:
      return source ? [{ name: "*", declared: "*", ...from }] : [];
  }
}

/** `module.exports = …`, `exports.a = b`, `var a = module.exports = …`, `const a = exports.b = …`. */
function assigned(node: Node, head: Head): readonly Found[] {
  if (node.type === "expression_statement") return assignedIn(node.namedChild(0), undefined, head);
  if (node.type !== "lexical_declaration" && node.type !== "variable_declaration") return [];
  return node.namedChildren.flatMap((child) =>
    assignedIn(child.childForFieldName("value"), child.childForFieldName("name")?.text, head),
  );
}

function assignedIn(node: Node | null, variable: string | undefined, head: Head): readonly Found[] {
  const assignment = node && assignmentOf(node);
  if (!assignment) return [];
  const { targets, value } = assignment;
  const declared = variable ?? (value.type === "identifier" ? value.text : undefined);
  return targets.flatMap(({ owner, name }): readonly Found[] => {
    if (owner !== "exports" && owner !== "module.exports") return [];
    const isWhole = owner === "module.exports";
    const bound = declared === undefined ? [] : [{ name: isWhole ? "default" : name, declared }];
    return isWhole ? [...bound, ...members(value, head)] : bound;
  });
}

/** What an exported object holds, or the module that is exported as it is. */
function members(value: Node, head: Head): readonly Found[] {
  const from = requiredModule(value);
  if (from !== undefined) return [{ name: "*", declared: "*", from }];
  return value.type === "object" ? value.namedChildren.flatMap((child) => member(child, head)) : [];
}

function member(node: Node, head: Head): readonly Found[] {
  if (node.type === "shorthand_property_identifier") return [{ name: node.text, declared: node.text }];
  if (node.type === "spread_element") {
    const from = requiredModule(node.namedChild(0));
    return from === undefined ? [] : [{ name: "*", declared: "*", from }];
  }
  const name = unquoted(node.childForFieldName("name") ?? node.childForFieldName("key"));
  const value = node.childForFieldName("value");
  if (name === "" || name === MODULE_MARK || name.startsWith("[")) return [];
  if (value?.type === "identifier") return [{ name, declared: value.text }];
  const from = requiredModule(value);
  if (from !== undefined) return [{ name, declared: "default", from }];
  const body = (value ?? node).childForFieldName("body");
  const isFunction = body !== null && value?.type !== "class" && !isAccessor(node);
  return [{ name, ...(isFunction && { signature: head(node, body) }) }];
}

const isAccessor = (node: Node) => /^[gs]et$/.test(node.child(0)?.type ?? "");

type Origin = Pick<ExportedName, "from" | "declared">;

/** Where the names come from that a statement imports or requires. */
function bindings(node: Node): readonly (readonly [name: string, origin: Origin])[] {
  if (node.type === "import_statement") return importedNames(node);
  if (node.type !== "lexical_declaration" && node.type !== "variable_declaration") return [];
  return node.namedChildren.flatMap((child) => {
    const from = requiredModule(child.childForFieldName("value"));
    const target = child.childForFieldName("name");
    if (from === undefined || !target) return [];
    if (target.type === "identifier") return [[target.text, { from, declared: "default" }] as const];
    return target.namedChildren.map((bound) => {
      const declared = bound.childForFieldName("key")?.text ?? bound.text;
      return [bound.childForFieldName("value")?.text ?? bound.text, { from, declared }] as const;
    });
  });
}

function importedNames(node: Node): readonly (readonly [string, Origin])[] {
  const from = unquoted(node.childForFieldName("source"));
  const clause = node.namedChildren.find((child) => child.type === "import_clause");
  return (clause?.namedChildren ?? []).flatMap((child): readonly (readonly [string, Origin])[] => {
    if (child.type === "identifier") return [[child.text, { from, declared: "default" }]];
    if (child.type === "namespace_import")
      return [[child.namedChild(0)?.text ?? "", { from, declared: "*" }]];
    return child.namedChildren.map((specifier) => {
      const declared = unquoted(specifier.childForFieldName("name"));
      return [specifier.childForFieldName("alias")?.text ?? declared, { from, declared }];
    });
  });
}

const unquoted = (node: Node | null) => (node?.text ?? "").replace(/^["']|["']$/g, "");
