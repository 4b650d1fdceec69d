import type { Node } from "web-tree-sitter";
import { trimmedLines } from "../../comments.ts";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Declaration, FileFact, Holder, Place } from "../../rules.ts";

const MODULES: Readonly<Record<string, string>> = { defmodule: "module", defprotocol: "interface" };
const FUNCTIONS: Readonly<Record<string, string>> = {
  def: "function",
  defp: "function",
  defdelegate: "function",
  defmacro: "macro",
  defmacrop: "macro",
  defguard: "macro",
  defguardp: "macro",
  defn: "function",
  defnp: "function",
};
const IMPORTS = new Set(["import", "alias", "use", "require"]);
/** Attributes that speak of the function after them. */
const ABOUT_NEXT = /^@(?:doc|spec|impl|deprecated|since|dialyzer|decorate)\b/;

/** Attributes that the compiler or a tool reads. */
const SETTINGS = new Set([
  ...["moduledoc", "typedoc", "behaviour", "compile", "derive", "before_compile", "after_compile", "on_load"],
  ...["external_resource", "tag", "moduletag", "describetag", "on_definition", "enforce_keys", "shortdoc"],
  "optional_callbacks",
]);

export const elixir = defineLanguage({
  id: "elixir",
  name: "Elixir",
  extensions: ["ex", "exs"],
  interpreters: ["elixir"],
  grammar: "tree-sitter-elixir/tree-sitter-elixir.wasm",
  rules: nodeRules({
    comments: ["comment"],
    commentStarts: /#/,
    isBetween: (node, type) => type === "unary_operator" && ABOUT_NEXT.test(node.text.slice(0, 20)),
    facts: { call: imported },
    holders: ["else_block"],
    declarations: { call: declared, unary_operator: attribute },
  }),
});

const wordsOf = (node: Node) => node.namedChildren.find(({ type }) => type === "arguments");
const blockOf = (node: Node) => node.namedChildren.find(({ type }) => type === "do_block") ?? null;

function imported(node: Node): FileFact | undefined {
  const word = node.childForFieldName("target")?.text ?? "";
  if (!IMPORTS.has(word)) return undefined;
  return { imports: [wordsOf(node)?.namedChild(0)?.text.slice(0, 200) ?? ""] };
}

function declared(node: Node, place: Place): readonly Declaration[] | Holder | undefined {
  const word = node.childForFieldName("target")?.text ?? "";
  const first = wordsOf(node)?.namedChild(0) ?? null;
  const kind = MODULES[word];
  if (kind !== undefined && first) return [moduleOf(node, kind, first, place)];
  if (word === "defimpl" && first) return { inside: blockOf(node)?.children ?? [], parent: first.text };
  if (word === "defstruct" || word === "defexception")
    return [{ name: lastSegment(place.parent ?? word), kind: "struct", exported: true }];
  const callKind = FUNCTIONS[word];
  if (callKind !== undefined) return functionOf(node, callKind, first);
  // Conditions, quoted blocks and tests may hold definitions, also after `else`.
  const block = blockOf(node);
  return block ? { inside: block.children } : undefined;
}

const lastSegment = (name: string) => name.slice(name.lastIndexOf(".") + 1);

function moduleOf(node: Node, kind: string, name: Node, place: Place): Declaration {
  const body = blockOf(node);
  const own = body?.namedChildren.find((child) => child.text.slice(0, 12).startsWith("@moduledoc"));
  const isNested = place.parent !== undefined && place.parentKind === "module";
  return {
    name: name.text,
    kind,
    exported: true,
    body,
    members: body,
    memberParent: isNested ? `${place.parent}.${name.text}` : name.text,
    ...(own && { doc: quoted(own) }),
  };
}

/** Each clause of a function is a definition of its own in the source; each is found by its own arguments. */
function functionOf(node: Node, kind: string, head: Node | null): readonly Declaration[] | undefined {
  const call = head?.type === "binary_operator" ? head.childForFieldName("left") : head;
  const name = call?.type === "call" ? call.childForFieldName("target")?.text : operatorOf(call);
  if (!name || !head) return undefined;
  const isPrivate = /p$/.test(node.childForFieldName("target")?.text ?? "");
  const values = wordsOf(node);
  const keywords = values?.namedChildren.find(({ type }) => type === "keywords");
  const doc = docBefore(node);
  return [
    {
      name,
      kind,
      exported: !isPrivate,
      body: blockOf(node) ?? keywords?.previousSibling ?? null,
      ...(doc !== "" && { doc }),
    },
  ];
}

const operatorOf = (call: Node | null | undefined) =>
  call?.type === "identifier"
    ? call.text
    : call?.type === "binary_operator"
      ? call.childForFieldName("operator")?.text
      : undefined;

function docBefore(node: Node): string {
  let above = node.previousNamedSibling;
  while (
    above &&
    (above.type === "comment" ||
      (above.type === "unary_operator" && ABOUT_NEXT.test(above.text.slice(0, 20))))
  ) {
    if (above.text.startsWith("@doc")) return quoted(above);
    above = above.previousNamedSibling;
  }
  return "";
}

/** The text of `@doc """…"""`; `@doc false` has none. */
function quoted(attributeNode: Node): string {
  const text = attributeNode
    .descendantsOfType("quoted_content")
    .map((part) => part.text)
    .join("");
  return trimmedLines(text.split("\n").map((line) => line.replace(/^ {2,4}/, "").trimEnd()));
}

/** `@type t :: …`, `@callback go(t) :: …`, and constants: `@max 10`. */
function attribute(node: Node, place: Place): readonly Declaration[] | undefined {
  const call = node.childForFieldName("operand");
  const word = call?.childForFieldName("target")?.text;
  const value = call && wordsOf(call)?.namedChild(0);
  if (!word || !value || place.parent === undefined || SETTINGS.has(word)) return undefined;
  const named = /^\w+[?!]?/.exec(value.text)?.[0] ?? "";
  if (/^(?:type|typep|opaque)$/.test(word))
    return [{ name: named, kind: "type", exported: word !== "typep" }];
  if (/^(?:macro)?callback$/.test(word)) return [{ name: named, kind: "method", exported: true }];
  return [
    { name: word, kind: "const", exported: false, body: node.endIndex - node.startIndex > 80 ? value : null },
  ];
}
