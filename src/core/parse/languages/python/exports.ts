import type { Node } from "web-tree-sitter";
import type { ExportedName, Exports } from "../../rules.ts";

/** Statements at the top of a module may stand under a condition. */
export const CONDITIONAL = new Set([
  ...["if_statement", "try_statement", "with_statement"],
  ...["block", "else_clause", "elif_clause", "except_clause", "finally_clause"],
]);
const LISTS = new Set([
  ...["list", "tuple", "set", "expression_list", "argument_list"],
  ...["parenthesized_expression", "list_splat", "binary_operator"],
]);

/** What `__all__` lists and nothing else, or without it what comes from the package's own modules by a public name. */
export function pythonExports(nodes: readonly Node[], text: string): Exports {
  const imported = nodes.flatMap((node) => (node.type === "import_from_statement" ? importedFrom(node) : []));
  const origins = new Map(imported.map((origin) => [origin.name, origin]));
  const listed = text.includes("__all__") ? nodes.flatMap(listedIn) : [];
  const names = new Map(
    listed.flatMap((name) => (name === UNREAD ? [] : [[name.text, nameInAll(name, origins)]])),
  );
  if (names.size > 0) return { names: [...names.values()], isWhole: !listed.includes(UNREAD) };
  return { names: imported.filter(({ name }) => !name.startsWith("_")) };
}

/** Something in `__all__` that only running the module tells. */
const UNREAD = "unread";
type Listed = Node | typeof UNREAD;

/** What a statement puts into `__all__`. */
function listedIn(node: Node): readonly Listed[] {
  if (CONDITIONAL.has(node.type)) return node.namedChildren.flatMap(listedIn);
  const inner = node.type === "expression_statement" ? node.namedChild(0) : null;
  if (inner?.childForFieldName("left")?.text === "__all__") return namesIn(inner.childForFieldName("right"));
  const called = inner?.type === "call" ? inner.childForFieldName("function")?.text : undefined;
  return called === "__all__.extend" || called === "__all__.append"
    ? namesIn(inner?.childForFieldName("arguments") ?? null)
    : [];
}

function namesIn(value: Node | null): readonly Listed[] {
  if (value === null || value.type === "comment") return [];
  if (LISTS.has(value.type)) return value.namedChildren.flatMap(namesIn);
  if (value.type === "string") return [value.namedChildren.find(isContent) ?? UNREAD];
  // What another module lists is declared there.
  return value.childForFieldName("attribute")?.text === "__all__" ? [] : [UNREAD];
}

const isContent = ({ type }: Node) => type === "string_content";

const nameInAll = ({ text, startPosition }: Node, origins: ReadonlyMap<string, ExportedName>): ExportedName =>
  origins.get(text) ?? { name: text, declared: text, line: startPosition.row + 1 };

/** The names of `from .a import b, c as d`; `from . import a` gives a module, which has exports of its own. */
function importedFrom(node: Node): readonly ExportedName[] {
  const from = node.childForFieldName("module_name")?.text ?? "";
  if (!/^\.+\w/.test(from)) return [];
  const line = node.startPosition.row + 1;
  const names = node.childrenForFieldName("name").map((name) => {
    const declared = importedName(name);
    return { name: name.childForFieldName("alias")?.text ?? declared, declared, from, line };
  });
  return names.length > 0 ? names : [{ name: "*", declared: "*", from, line }];
}

/** `a.b` of `a.b` and of `a.b as c`. */
export const importedName = (name: Node) => name.childForFieldName("name")?.text ?? name.text;
