import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Declaration, Holder, Place } from "../../rules.ts";

export const lua = defineLanguage({
  id: "lua",
  name: "Lua",
  extensions: ["lua", "luau", "rockspec"],
  interpreters: ["lua", "luajit", "texlua"],
  grammar: "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
  parameters: ["parameters name:", "parameters ."],
  rules: nodeRules({
    comments: ["comment", "hash_bang_line"],
    commentStarts: /--/,
    docText: luaDoc,
    loads: (_nodes, text) =>
      [...text.matchAll(/\brequire\s*\(?\s*["']([\w./-]+)["']/g)].map((found) => found[1] ?? ""),
    holders: ["do_statement", "if_statement", "block"],
    declarations: {
      function_declaration: (node) => [functionNamed(node.childForFieldName("name"), node, !isLocal(node))],
      variable_declaration: (node, place) => assignments(node.namedChild(0), node, place),
      assignment_statement: (node, place) => assignments(node, node, place),
      function_call: (node) => ({ inside: closures(node) }),
      return_statement: (node) => returned(node),
      field: (node) => entry(node),
    },
  }),
});

const isLocal = (node: Node) => node.child(0)?.type === "local";

/** `M.add` and `M:add` are methods of `M`. */
function functionNamed(name: Node | null, node: Node, exported: boolean): Declaration {
  const table = name?.childForFieldName("table");
  const own = name?.childForFieldName("field") ?? name?.childForFieldName("method") ?? name;
  return {
    name: own?.text ?? "",
    kind: table ? "method" : "function",
    exported,
    body: node.childForFieldName("body") ?? endOf(node),
    ...(table && { parent: table.text }),
  };
}

const endOf = (node: Node) => node.children.findLast(({ type }) => type === "end") ?? null;

function assignments(node: Node | null, statement: Node, place: Place): readonly Declaration[] | undefined {
  if (node?.type !== "assignment_statement") return undefined;
  const targets = node.namedChild(0)?.namedChildren ?? [];
  const values = node.namedChild(1)?.namedChildren ?? [];
  return targets.flatMap((target, index) => assigned(target, values[index], { statement, place }));
}

function assigned(
  target: Node,
  value: Node | undefined,
  { statement, place }: { readonly statement: Node; readonly place: Place },
): readonly Declaration[] {
  const exported = !isLocal(statement);
  if (value?.type === "function_definition")
    return [
      {
        ...functionNamed(target, statement, exported),
        body: value.childForFieldName("body") ?? endOf(value),
      },
    ];
  const isLong = statement.endIndex - statement.startIndex > 80;
  const body = isLong ? (value ?? null) : null;
  const table = target.childForFieldName("table");
  if (target.type === "dot_index_expression" && table)
    return [
      {
        name: target.childForFieldName("field")?.text ?? "",
        kind: "field",
        exported,
        parent: table.text,
        body,
      },
    ];
  const isRequired = /^require\b/.test(value?.text.slice(0, 20) ?? "");
  if (target.type !== "identifier" || place.parent !== undefined || isRequired) return [];
  const kind = /^[A-Z][A-Z0-9_]+$/.test(target.text) ? "const" : "var";
  return [{ name: target.text, kind, exported, body, members: tableIn(value) }];
}

/** Functions in a table are its members. */
const tableIn = (value: Node | undefined) => (value?.type === "table_constructor" ? value : null);

/** What `describe("…", function() … end)` holds. */
const closures = (node: Node) =>
  (node.childForFieldName("arguments")?.namedChildren ?? []).flatMap((value) =>
    value.type === "function_definition"
      ? (value.childForFieldName("body")?.children ?? [])
      : (tableIn(value)?.children ?? []),
  );

/** `return { add = function() … end }` */
const returned = (node: Node): Holder | undefined => {
  const table = node.namedChild(0)?.namedChild(0);
  return table?.type === "table_constructor" ? { inside: table.children } : undefined;
};

function entry(node: Node): readonly Declaration[] | undefined {
  const value = node.childForFieldName("value");
  const name = node.childForFieldName("name");
  if (value?.type !== "function_definition" || name?.type !== "identifier") return undefined;
  return [
    {
      name: name.text,
      kind: "function",
      exported: true,
      body: value.childForFieldName("body") ?? endOf(value),
    },
  ];
}

/** Without the marks of LuaDoc: `---`, `--[[` and `]]`. */
function luaDoc(comments: readonly string[]) {
  return comments
    .flatMap((comment) => comment.replace(/^--\[=*\[|\]=*\]$/g, "").split("\n"))
    .map((line) => line.replace(/^\s*-{2,}[ \t]?/, "").trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}
