import type { Node } from "web-tree-sitter";
import { trimmedLines } from "../../comments.ts";
import { defineLanguage } from "../../language.ts";
import type { Declaration, Declared, Place, Rules } from "../../rules.ts";
import { signatureOf } from "../../signature.ts";
import { CONDITIONAL, importedName, pythonExports } from "./exports.ts";
import { pythonModules } from "./modules.ts";
import { pythonReferences } from "./references.ts";

const MAX_VALUE_LENGTH = 80;
const PATTERNS = new Set(["pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"]);

const pythonRules: Rules = {
  comments: new Set(["comment"]),
  commentStarts: /#/,
  header(node, type) {
    if (type === "import_statement") return { imports: node.childrenForFieldName("name").map(importedName) };
    if (type === "future_import_statement") return { imports: ["__future__"] };
    if (type !== "import_from_statement") return undefined;
    return { imports: [node.childForFieldName("module_name")?.text ?? ""] };
  },
  exports: pythonExports,
  fileDoc: (root) => docstring(root),
  declares,
};

function declares(node: Node, type: string, place: Place): Declared {
  if (CONDITIONAL.has(type)) return { inside: node.children };
  switch (type) {
    case "decorated_definition": {
      const inner = node.childForFieldName("definition");
      const found = inner && declares(inner, inner.type, place);
      if (!inner || !found || "inside" in found || "names" in found) return undefined;
      return found.map((declaration) => ({ ...declaration, head: inner }));
    }
    case "function_definition":
      return [defined(node, place.parent === undefined ? "function" : "method", place.text)];
    case "class_definition":
      return [{ ...defined(node, "class", place.text), members: node.childForFieldName("body") }];
    case "expression_statement":
      return place.parent === undefined ? assigned(node, place.text) : attributes(node);
    default:
      return undefined;
  }
}

function defined(node: Node, kind: string, text: string): Declaration {
  const name = node.childForFieldName("name")?.text ?? "";
  const body = node.childForFieldName("body");
  const written = body && docstring(body);
  return {
    name,
    kind,
    exported: !name.startsWith("_"),
    body,
    // Told here, since the node of a decorated definition starts with its decorators.
    signature: signatureOf(text, node, { body }, pythonRules),
    ...(written && { doc: written }),
  };
}

function assigned(node: Node, text: string): readonly Declaration[] | undefined {
  const assignment = node.namedChild(0);
  if (assignment?.type !== "assignment") return undefined;
  const names = boundNames(assignment.childForFieldName("left"));
  if (names.length === 0) return undefined;
  const value = assignment.childForFieldName("right");
  const isLong = assignment.endIndex - assignment.startIndex > MAX_VALUE_LENGTH;
  const head = signatureOf(text, assignment, { body: isLong ? value : null }, pythonRules);
  return names.map((name) => ({
    name,
    kind: /^[A-Z_][A-Z0-9_]*$/.test(name) ? "const" : "var",
    exported: !name.startsWith("_"),
    signature: isLong && value ? `${head} = …` : head,
  }));
}

/** What the body of a class assigns. */
function attributes(node: Node): Declared {
  const assignment = node.namedChild(0);
  if (assignment?.type !== "assignment") return undefined;
  const names = boundNames(assignment.childForFieldName("left"));
  return { names: names.map((name) => ({ name, kind: "field", exported: !name.startsWith("_") })) };
}

/** `a, (b, *c) = …` binds three names; `self.a` and `a[0]` bind none. */
function boundNames(target: Node | null): readonly string[] {
  if (target?.type === "identifier") return [target.text];
  return target && PATTERNS.has(target.type) ? target.namedChildren.flatMap(boundNames) : [];
}

/** The string that opens a body. */
function docstring(body: Node): string {
  const first = body.namedChildren.find((child) => child.type !== "comment");
  const text = first?.type === "expression_statement" ? first.namedChild(0) : undefined;
  if (text?.type !== "string") return "";
  const inside = text.text.replace(/^[rRuUbB]*("""|'''|"|')/, "").replace(/("""|'''|"|')$/, "");
  return trimmedLines(inside.split("\n").map((line) => line.trim()));
}

export const python = defineLanguage({
  id: "python",
  name: "Python",
  extensions: ["py", "pyi", "pyw"],
  interpreters: ["python", "pypy"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
  rules: pythonRules,
  references: pythonReferences,
  modules: pythonModules,
});
