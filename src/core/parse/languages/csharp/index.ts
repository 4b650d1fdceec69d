import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { callable, childOfType, field, nodeRules } from "../../node-rules.ts";
import type { Declaration, Place } from "../../rules.ts";

const bodyOrValue = (node: Node) => node.childForFieldName("body") ?? node.childForFieldName("value");
const accessors = (node: Node) => node.childForFieldName("accessors") ?? node.childForFieldName("value");
const type = (kind: string) => ({ kind, members: true });

export const csharp = defineLanguage({
  id: "csharp",
  name: "C#",
  extensions: ["cs", "csx"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm",
  parameters: [
    "type_parameter name:",
    "type_parameter .",
    "parameter name:",
    "parameter .",
    "function_pointer_parameter .",
    "implicit_parameter name:",
    "implicit_parameter pattern:",
    "implicit_parameter .",
  ],
  rules: nodeRules({
    comments: ["comment"],
    recovery: {
      extent: "brackets",
      comment: /^\s*\/\//,
      definitions: [
        {
          kind: "class",
          match:
            /^\s*(?:(?:public|internal|private|protected|static|sealed|abstract|partial|unsafe|readonly|ref)\s+){1,6}(?:class|struct|record|interface|enum)\s+(?<name>\w+)/,
        },
        {
          kind: "method",
          match:
            /^\s*(?:(?:public|internal|private|protected|static|override|virtual|async|unsafe|extern|sealed|abstract|new|readonly|partial)\s+){1,7}(?:[\w.<>,?[\]*]+\s+)?(?<name>\w+)(?:<[\w, ]+>)?\s*\(/,
        },
      ],
    },
    commentStarts: /\/[/*]/,
    docText: xmlDoc,
    attributes: ["attribute_list"],
    holders: [
      ...["preproc_if", "preproc_else", "preproc_elif", "preproc_region", "declaration_list"],
      ...["global_statement", "preproc_if_in_attribute_list"],
    ],
    facts: {
      using_directive: (node) => ({ imports: [node.namedChildren.at(-1)?.text ?? ""] }),
      namespace_declaration: packageFact,
      file_scoped_namespace_declaration: packageFact,
    },
    declarations: {
      namespace_declaration: (node) => ({ inside: node.childForFieldName("body")?.children ?? [] }),
      file_scoped_namespace_declaration: (node) => ({ inside: node.children }),
      class_declaration: type("class"),
      struct_declaration: type("struct"),
      record_declaration: type("class"),
      record_struct_declaration: type("struct"),
      interface_declaration: type("interface"),
      enum_declaration: type("enum"),
      enum_member_declaration: { kind: "const" },
      delegate_declaration: { kind: "type" },
      method_declaration: { kind: "method", body: bodyOrValue },
      local_function_statement: { kind: callable },
      constructor_declaration: {
        kind: "method",
        body: (node) => childOfType("constructor_initializer")(node) ?? bodyOrValue(node),
      },
      destructor_declaration: {
        kind: "method",
        name: (node) => `~${node.childForFieldName("name")?.text ?? ""}`,
      },
      operator_declaration: {
        kind: "method",
        name: (node) => `operator ${field("operator")(node)?.text ?? ""}`,
      },
      conversion_operator_declaration: {
        kind: "method",
        name: (node) => `operator ${field("type")(node)?.text ?? ""}`,
      },
      indexer_declaration: { kind: "field", name: () => "this", body: accessors },
      property_declaration: { kind: "field", body: accessors },
      event_declaration: { kind: "field", body: accessors },
      event_field_declaration: fields,
      field_declaration: fields,
    },
    isExported: isPublic,
  }),
});

function packageFact(node: Node) {
  return { packageName: node.childForFieldName("name")?.text ?? "" };
}

function fields(node: Node, place: Place): readonly Declaration[] {
  const isConstant = node.children.some(({ type: kind, text }) => kind === "modifier" && text === "const");
  const head = node.children.find((child) => child.type !== "attribute_list") ?? node;
  const variables = childOfType("variable_declaration")(node)?.namedChildren ?? [];
  return variables
    .filter((variable) => variable.type === "variable_declarator")
    .map((variable) => ({
      name: (variable.childForFieldName("name") ?? variable.namedChild(0))?.text ?? "",
      kind: isConstant ? "const" : "field",
      exported: isPublic(node, "", place),
      head,
      body: node.endIndex - node.startIndex > 120 ? (variable.namedChildren.at(-1) ?? null) : null,
    }));
}

/** Members of interfaces are public without a word, types at the top are seen by the assembly. */
function isPublic(node: Node, _name: string, place: Place): boolean {
  const modifiers = node.children.filter((child) => child.type === "modifier").map(({ text }) => text);
  if (modifiers.includes("private") || modifiers.includes("protected")) return false;
  const isOpen =
    place.parent === undefined || place.parentKind === "interface" || place.parentKind === "enum";
  return isOpen || modifiers.includes("public") || modifiers.includes("internal");
}

/** `/// <summary>` and its siblings are marks, not words. */
function xmlDoc(comments: readonly string[]): string {
  const lines = comments.flatMap((comment) => comment.split(/\r?\n/));
  return lines
    .map((line) =>
      line
        .replace(/^\s*(?:\/\/[/!]?|\/\*[*!]?|\*(?!\/))?[ \t]?/, "")
        .replace(/\s*\*+\/\s*$/, "")
        .replace(/<(?:see|paramref|typeparamref)\b[^>"]*"([^">]*)"[^>]*>/g, "$1")
        .replace(/<param name="([^"]*)">/g, "$1: ")
        .replace(/<\/?[a-z]\w*\b[^<>]*>/gi, "")
        .trim(),
    )
    .filter((line) => line !== "")
    .join("\n");
}
