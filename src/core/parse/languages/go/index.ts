import type { Node } from "web-tree-sitter";
import { trimmedLines } from "../../comments.ts";
import { defineLanguage } from "../../language.ts";
import type { Declaration, FileFact, Holder, Place, Rules } from "../../rules.ts";
import { signatureOf } from "../../signature.ts";
import { goModules } from "./modules.ts";
import { goReferences } from "./references.ts";

/** Longer values are data, not a signature. */
const MAX_VALUE_LENGTH = 80;

const goRules: Rules = {
  comments: new Set(["comment"]),
  commentStarts: /\/[/*]/,
  docText: goDoc,
  hasTightDocs: true,
  header: factOf,
  declares(node, type, place) {
    switch (type) {
      case "function_declaration":
        return [callable(node, "function")];
      case "method_declaration":
        return [{ ...callable(node, "method"), ...receiverOf(node, place.text) }];
      case "type_declaration":
      case "const_declaration":
      case "var_declaration":
        return declarationBlock(node, place);
      case "var_spec_list":
        return { inside: node.children };
      case "type_spec":
      case "type_alias":
        return [typeSpec(node, place.text)];
      case "const_spec":
      case "var_spec":
        return valueSpec(node, type === "const_spec" ? "const" : "var", place.text);
      case "field_declaration":
        return {
          names: fieldNames(node).map((name) => ({ name, kind: "field", exported: isExported(name) })),
        };
      case "method_elem":
        return { names: namesOf(node).map((name) => ({ name, kind: "method", exported: isExported(name) })) };
      default:
        return undefined;
    }
  },
};

function factOf(node: Node, type: string): FileFact | undefined {
  if (type === "package_clause") return { packageName: node.namedChild(0)?.text ?? "" };
  if (type !== "import_declaration") return undefined;
  const paths = node.descendantsOfType("import_spec").map((spec) => spec.childForFieldName("path")?.text);
  return { imports: paths.flatMap((path) => (path === undefined ? [] : [path.slice(1, -1)])) };
}

/** `const X = 1` is a declaration from its keyword on; in `const ( … )` each line is one. */
function declarationBlock(node: Node, place: Place): readonly Declaration[] | Holder {
  const children = node.children;
  const isGroup = children.some((child) => child.type === "(" || child.type === "var_spec_list");
  if (isGroup) return { inside: children, isGroup };
  return children.flatMap((spec) => {
    const found = goRules.declares(spec, spec.type, place);
    return found === undefined || "inside" in found || "names" in found ? [] : found;
  });
}

function callable(node: Node, kind: string): Declaration {
  const name = node.childForFieldName("name")?.text ?? "";
  return { name, kind, exported: isExported(name), body: node.childForFieldName("body") };
}

/** `func () f()` has a receiver list and no receiver: Go reads a function. */
function receiverOf(node: Node, text: string): Partial<Declaration> {
  const declared = node.childForFieldName("receiver")?.namedChildren ?? [];
  const type = declared.find((child) => child.type === "parameter_declaration")?.childForFieldName("type");
  if (!type) return { kind: "function" };
  const receiver = signatureOf(text, type, {}, goRules);
  return { receiver, parent: /[\p{L}_][\p{L}\p{N}_]*/u.exec(receiver)?.[0] ?? "" };
}

function typeSpec(node: Node, text: string): Declaration {
  const name = node.childForFieldName("name")?.text ?? "";
  const type = node.childForFieldName("type");
  const kind =
    type?.type === "struct_type" ? "struct" : type?.type === "interface_type" ? "interface" : "type";
  const body = kind === "type" ? longBody(node) : bodyOf(type);
  const signature = `type ${signatureOf(text, node, { body }, goRules)}`;
  const members = kind === "struct" ? (type?.namedChild(0) ?? null) : kind === "interface" ? type : null;
  return { name, kind, exported: isExported(name), signature, end: node, members };
}

/** An embedded type is a field named after it. */
function fieldNames(node: Node): readonly string[] {
  const names = namesOf(node);
  if (names.length > 0) return names;
  const embedded = /[\p{L}_][\p{L}\p{N}_]*(?=\[|$)/u.exec(node.childForFieldName("type")?.text ?? "");
  return embedded ? [embedded[0]] : [];
}

const namesOf = (node: Node) => node.childrenForFieldName("name").map(({ text }) => text);

/** The fields of a type within the type, where they are written on several lines. */
function longBody(node: Node): Node | null {
  if (node.startPosition.row === node.endPosition.row) return null;
  const types = node.descendantsOfType(["struct_type", "interface_type"]);
  const long = types.find(({ startPosition, endPosition }) => startPosition.row !== endPosition.row);
  return bodyOf(long);
}

/** What follows the keyword `struct` or `interface`. */
const bodyOf = (type: Node | null | undefined) => type?.child(1) ?? null;

function valueSpec(node: Node, kind: "const" | "var", text: string): readonly Declaration[] {
  const names = node.childrenForFieldName("name").filter((name) => name.type === "identifier");
  const signature = `${kind} ${valueHead(node, text)}`;
  return names.map((name) => ({
    name: name.text,
    kind,
    exported: isExported(name.text),
    signature,
    end: node,
  }));
}

function valueHead(node: Node, text: string): string {
  const value = node.childForFieldName("value");
  const isOneLine = node.startPosition.row === node.endPosition.row;
  // Comments are looked for node by node: not in a table of thousands of lines.
  const whole = value === null || isOneLine ? signatureOf(text, node, {}, goRules) : "";
  if (value === null || (isOneLine && whole.length <= MAX_VALUE_LENGTH)) return whole;
  return `${signatureOf(text, node, { body: value }, goRules)} = …`;
}

const isExported = (name: string) => /^\p{Lu}/u.test(name);

/** As go/ast gives a comment group's text: marks and directives gone, blank lines folded. */
function goDoc(comments: readonly string[]): string {
  const lines = comments.flatMap((comment) => {
    if (comment.startsWith("/*")) return comment.slice(2, -2).split("\n");
    const line = comment.slice(2);
    if (line.startsWith(" ")) return [line.slice(1)];
    return isDirective(line) ? [] : [line];
  });
  return trimmedLines(lines.map((line) => line.trimEnd()));
}

const isDirective = (line: string) => /^(?:line |extern |export |[a-z0-9]+:[a-z0-9])/.test(line);

export const go = defineLanguage({
  id: "go",
  name: "Go",
  extensions: ["go"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm",
  rules: goRules,
  references: goReferences,
  modules: goModules,
});
