import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Declaration, Declared, Holder, Place, Rules } from "../../rules.ts";
import { C_TABLE, withoutMacros } from "../c/declarations.ts";

const rules: Rules = {
  ...nodeRules({
    ...C_TABLE,
    // Access labels and macros stand on lines of their own.
    declarations: {
      ...C_TABLE.declarations,
      namespace_definition: namespace,
      template_declaration: wrapper,
      friend_declaration: () => undefined,
      alias_declaration: { kind: "type", body: (node) => node.childForFieldName("type") },
      concept_definition: { kind: "interface", body: (node) => node.namedChild(1) },
      namespace_alias_definition: { kind: "module" },
    },
    holders: [...C_TABLE.holders, "export_declaration", "labeled_statement"],
  }),
  prepare: withoutMacros,
};

export const cpp = defineLanguage({
  id: "cpp",
  name: "C++",
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh", "ino"],
  grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-cpp.wasm",
  parameters: [
    "parameter_declaration declarator:",
    "parameter_declaration .",
    "optional_parameter_declaration declarator:",
    "optional_parameter_declaration .",
  ],
  rules,
});

function namespace(node: Node): readonly Declaration[] | Holder {
  const body = node.childForFieldName("body");
  const name = node.childForFieldName("name")?.text.replace(/\s+/g, "");
  if (name === undefined) return { inside: body?.children ?? [] };
  return [{ name, kind: "module", exported: true, body, members: body }];
}

/** `template <class T>` belongs to the head of what it stands before. */
function wrapper(node: Node, place: Place): Declared {
  const inner = node.namedChildren.at(-1);
  const found = inner && rules.declares(inner, inner.type, place);
  if (!found || "inside" in found || "names" in found) return found;
  return found.map((declaration) => ({ ...declaration, head: node }));
}
