import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { callable, nodeRules } from "../../node-rules.ts";
import type { Declaration, Place } from "../../rules.ts";

const type = (kind: string) => ({ kind, members: true });

export const scala = defineLanguage({
  id: "scala",
  name: "Scala",
  extensions: ["scala", "sc", "sbt"],
  interpreters: ["scala", "scala-cli"],
  grammar: "tree-sitter-scala/tree-sitter-scala.wasm",
  parameters: [
    "type_parameters name:",
    "type_parameters pattern:",
    "type_parameters .",
    "covariant_type_parameter name:",
    "covariant_type_parameter .",
    "contravariant_type_parameter name:",
    "contravariant_type_parameter .",
    "class_parameter name:",
    "class_parameter .",
    "parameter name:",
    "parameter .",
  ],
  rules: nodeRules({
    comments: ["comment", "block_comment"],
    commentStarts: /\/[/*]/,
    attributes: ["annotation"],
    holders: ["enum_case_definitions", "extension_definition", "template_body"],
    facts: {
      package_clause: (node) => ({ packageName: node.childForFieldName("name")?.text ?? "" }),
      import_declaration: (node) => ({ imports: [node.text.replace(/^import\s+/, "").slice(0, 200)] }),
    },
    declarations: {
      package_clause: (node) => ({ inside: node.childForFieldName("body")?.children ?? [] }),
      class_definition: type("class"),
      object_definition: type("class"),
      trait_definition: type("interface"),
      enum_definition: type("enum"),
      package_object: type("module"),
      given_definition: { kind: "var", members: true },
      function_definition: { kind: callable },
      function_declaration: { kind: callable },
      type_definition: { kind: "type", body: () => null },
      simple_enum_case: { kind: "const" },
      full_enum_case: { kind: "const" },
      val_definition: (node, place) => values(node, place, "const"),
      val_declaration: (node, place) => values(node, place, "const"),
      var_definition: (node, place) => values(node, place, "var"),
      var_declaration: (node, place) => values(node, place, "var"),
    },
    isExported: isPublic,
  }),
});

function isPublic(node: Node) {
  const modifiers = node.children.find(({ type: kind }) => kind === "modifiers");
  return modifiers === undefined || !/\b(?:private|protected)\b/.test(modifiers.text.slice(0, 200));
}

function values(node: Node, place: Place, kind: string): readonly Declaration[] {
  const targets = [...node.childrenForFieldName("pattern"), ...node.childrenForFieldName("name")];
  const names = targets.flatMap((target) => (target.type === "identifier" ? [target] : target.namedChildren));
  const isMember = place.parent !== undefined && place.parentKind !== "module";
  return names
    .filter((name) => name.type === "identifier")
    .map((name) => ({
      name: name.text,
      kind: isMember ? "field" : kind,
      exported: isPublic(node),
      head: node.children.find((child) => child.type !== "annotation") ?? node,
      body: node.endIndex - node.startIndex > 80 ? node.childForFieldName("value") : null,
    }));
}
