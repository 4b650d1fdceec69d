import type { Node } from "web-tree-sitter";
import { commentText } from "../../comments.ts";
import type { Declaration, Declared, MemberNames, Place, Rules } from "../../rules.ts";
import { signatureOf } from "../../signature.ts";
import { assignmentOf, endOfChain, startsWithRequire, type Target } from "./commonjs.ts";
import { scriptExports } from "./exports.ts";
import { loadedBy } from "./loads.ts";

const MAX_VALUE_LENGTH = 80;
const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function"]);
const VARIABLES = new Set(["lexical_declaration", "variable_declaration"]);

/** TypeScript, TSX, JavaScript and JSX: one set of rules, since their grammars share their names. */
export const typescriptRules: Rules = {
  comments: new Set(["comment", "hash_bang_line"]),
  between: new Set(["decorator"]),
  commentStarts: /\/[/*]/,
  header(node, type, place) {
    if (type === "import_statement") return { imports: sourceOf(node) };
    if (type === "export_statement" && node.childForFieldName("source")) return { imports: sourceOf(node) };
    if (type === "expression_statement") return isDirective(node) ? {} : undefined;
    return VARIABLES.has(type) && isRequiring(node, place.text) ? {} : undefined;
  },
  loads: loadedBy,
  exports: (nodes, text) => ({
    names: scriptExports(nodes, text, (node, body) => signatureOf(text, node, { body }, typescriptRules)),
  }),
  fileDoc(_root, comments) {
    const own = comments.map(({ text }) => text).find((text) => FILE_TAG.test(text));
    return own === undefined ? "" : commentText([own]);
  },
  isFault: standsAmongDeclarations,
  // The grammar takes an overload that begins with type parameters for the rest of the one above, and loses what follows.
  recovery: {
    extent: "next",
    comment: /^\/\//,
    block: { start: /^\s*\/\*/, end: /\*\// },
    definitions: (
      [
        ["function", "(?:async )?function\\*?"],
        ["class", "(?:abstract )?class"],
        ["interface", "interface"],
        ["type", "type"],
        ["enum", "(?:const )?enum"],
      ] as const
    ).map(([kind, word]) => ({
      kind,
      match: new RegExp(`^(?:export )?(?:default )?(?:declare )?${word} (?<name>[\\w$]+)`),
      exported: (line: string) => line.startsWith("export "),
    })),
  },
  declares,
};

/**
 * The grammar lags behind the compiler (`out T`, `x < unknown.y`): an error inside of a statement leaves its
 * declarations whole, so it is no news. An error among the statements hides some.
 */
function standsAmongDeclarations(error: Node): boolean {
  const around = error.parent;
  return error.isError && (around === null || around.parent === null || around.isError);
}

const FILE_TAG = /@(?:fileoverview|file|module|packageDocumentation)\b/;

/** `"use strict"` */
const isDirective = (node: Node) => node.namedChild(0)?.type === "string";

/** A statement that declares nothing but the values of `require` calls. */
function isRequiring(node: Node, text: string): boolean {
  const declarators = declaratorsOf(node);
  return (
    declarators.length > 0 &&
    declarators.every((declarator) => startsWithRequire(declarator.childForFieldName("value"), text))
  );
}

function declares(node: Node, type: string, place: Place): Declared {
  switch (type) {
    case "export_statement":
      return exported(node, place);
    case "function_declaration":
    case "generator_function_declaration":
    case "function_signature":
      return [named(node, "function")];
    case "class_declaration":
    case "abstract_class_declaration":
    case "class":
      return [holding(node, "class")];
    case "interface_declaration":
      return [holding(node, "interface")];
    case "enum_declaration":
      return [holding(node, "enum")];
    case "type_alias_declaration":
      return [{ ...named(node, "type"), body: node.childForFieldName("value") }];
    case "internal_module":
    case "module":
      return [holding(node, "module")];
    case "lexical_declaration":
    case "variable_declaration":
      return variables(node, place.text);
    case "ambient_declaration":
    case "expression_statement":
      return statement(node, place);
    case "statement_block":
      return place.parent === undefined || place.parentKind === "module"
        ? { inside: node.children }
        : undefined;
    case "method_definition":
    case "method_signature":
    case "abstract_method_signature":
    case "public_field_definition":
    case "field_definition":
      return place.parentKind === "interface" ? memberName(node, "method") : member(node);
    case "property_signature":
      return memberName(node, "field");
    case "enum_assignment":
      return memberName(node, "const");
    case "property_identifier":
      return place.parentKind === "enum"
        ? { names: [{ name: node.text, kind: "const", exported: true }] }
        : undefined;
    default:
      return undefined;
  }
}

function exported(node: Node, place: Place): Declared {
  const inner = node.childForFieldName("declaration") ?? node.childForFieldName("value");
  if (inner === null) return undefined;
  const found = FUNCTIONS.has(inner.type)
    ? [{ ...named(inner, "function"), name: nameOf(inner) || "default" }]
    : declares(inner, inner.type, place);
  if (found === undefined) return defaultValue(node, inner, place.text);
  if ("inside" in found || "names" in found) return found;
  return found.map((declaration) => ({
    ...declaration,
    name: declaration.name || "default",
    exported: true,
    head: keywordOf(node),
  }));
}

function defaultValue(node: Node, inner: Node, text: string): readonly Declaration[] {
  // The grammar knows no abstract class without a name: it takes its body for an object.
  const isClass =
    inner.type === "object" && /\bclass\s*$/.test(text.slice(node.startIndex, inner.startIndex));
  const kind = isClass ? "class" : "const";
  return [{ name: "default", kind, exported: true, body: inner, end: node }];
}

/** The first token after decorators. */
const keywordOf = (node: Node): Node => node.children.find((child) => child.type === "export") ?? node;

function named(node: Node, kind: string): Declaration {
  const head = node.children.find((child) => child.type !== "decorator") ?? node;
  return { name: nameOf(node), kind, exported: false, body: node.childForFieldName("body"), head };
}

function holding(node: Node, kind: string): Declaration {
  const declared = named(node, kind);
  // Of an abstract class without a name the grammar takes the next word for it.
  const isNameless = declared.name === "extends" || declared.name === "implements";
  return { ...declared, ...(isNameless && { name: "" }), members: node.childForFieldName("body") };
}

const nameOf = (node: Node) => (node.childForFieldName("name")?.text ?? "").replace(/^["']|["']$/g, "");

function variables(node: Node, text: string): readonly Declaration[] {
  const keyword = node.child(0)?.text ?? "const";
  return declaratorsOf(node).flatMap((declarator) => variable(declarator, keyword, text));
}

const declaratorsOf = (node: Node) =>
  node.namedChildren.filter((child) => child.type === "variable_declarator");

function variable(node: Node, keyword: string, text: string): readonly Declaration[] {
  const first = node.childForFieldName("value");
  const last = endOfChain(first);
  const value = assigned(last, node, keyword === "const" ? "const" : "var");
  const head = signatureOf(text, node, first === last ? value : { body: first }, typescriptRules);
  // `const a = exports.a = (b) => c` is told as `const a = (b)`.
  const chained = first === last || !last ? "" : signatureOf(text, last, value, typescriptRules);
  const signature = `${keyword} ${head}${chained && ` = ${chained}`}`;
  return boundNames(node.childForFieldName("name")).map((name) => ({
    ...value,
    name,
    exported: false,
    signature,
  }));
}

const DEFAULT_FUNCTION = /^export\s+default\s+(?:async\s+)?function\s*\*?\s*[(<]/;
const DEFAULT = { name: "default", kind: "function", exported: true } as const satisfies Declaration;

type Assigned = Pick<Declaration, "kind" | "body" | "members">;

/** What a name is when this is assigned to it: a function, a class with its members, or a value, told where it is short. */
function assigned(value: Node | null, node: Node, kind: string): Assigned {
  if (value === null) return { kind, body: null };
  const body = value.childForFieldName("body");
  if (FUNCTIONS.has(value.type)) return { kind: "function", body };
  if (value.type === "class") return { kind: "class", body, members: body };
  return { kind, body: isLong(node) ? value : null };
}

/** `{ a, b: [c], d = e, ...f }` binds a, c, d and f. */
function boundNames(target: Node | null): readonly string[] {
  switch (target?.type) {
    case "identifier":
    case "shorthand_property_identifier_pattern":
      return [target.text];
    case "assignment_pattern":
    case "object_assignment_pattern":
      return boundNames(target.childForFieldName("left"));
    case "pair_pattern":
      return boundNames(target.childForFieldName("value"));
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
      return target.namedChildren.flatMap(boundNames);
    default:
      return [];
  }
}

const isLong = (node: Node) => node.endIndex - node.startIndex > MAX_VALUE_LENGTH;

/** `declare …`, `namespace …`, and what CommonJS exports by assignment. */
function statement(node: Node, place: Place): Declared {
  const inner = node.namedChild(0);
  if (inner === null) return undefined;
  // The grammar knows no function without a name and a body.
  if (inner.text === "export") return DEFAULT_FUNCTION.test(node.text) ? [DEFAULT] : undefined;
  if (inner.type !== "assignment_expression") return declares(inner, inner.type, place);
  const assignment = assignmentOf(inner);
  if (assignment === undefined) return undefined;
  const value = assigned(assignment.value, inner, "const");
  return assignment.targets.flatMap((target) => assignedMember(target, value, nameOf(assignment.value)));
}

function assignedMember(target: Target, value: Assigned, ownName: string): readonly Declaration[] {
  const exported = { ...value, exported: true };
  if (target.owner === "module.exports") return [{ ...exported, name: ownName || "default" }];
  if (target.owner === "exports") return [{ ...exported, name: target.name }];
  if (value.kind === "const") return [];
  const kind = value.kind === "function" ? "method" : value.kind;
  return [{ ...exported, kind, name: target.name, parent: target.owner }];
}

/** Methods, and fields that hold functions; other fields are found with their class. */
function member(node: Node): readonly Declaration[] | MemberNames {
  const value = node.childForFieldName("value");
  const isField = node.type.endsWith("field_definition");
  if (isField && (value === null || !FUNCTIONS.has(value.type))) return memberName(node, "field");
  const name = memberNameOf(node);
  const isPrivate = isPrivateMember(node, name);
  const body = (isField ? value : node)?.childForFieldName("body") ?? null;
  const head = node.children.find((child) => child.type !== "decorator") ?? node;
  return [{ name, kind: "method", exported: !isPrivate, body, head }];
}

function memberName(node: Node, kind: string): MemberNames {
  const name = memberNameOf(node).replace(/^["']|["']$/g, "");
  return { names: name === "" ? [] : [{ name, kind, exported: !isPrivateMember(node, name) }] };
}

const memberNameOf = (node: Node) =>
  (node.childForFieldName("name") ?? node.childForFieldName("property"))?.text ?? "";

const isPrivateMember = (node: Node, name: string) =>
  name.startsWith("#") ||
  node.children.some((child) => child.type === "accessibility_modifier" && child.text !== "public");

const sourceOf = (node: Node): readonly string[] => {
  // `import a = require("a")` has it one level down.
  const source = (node.childForFieldName("source") ?? node.namedChild(0)?.childForFieldName("source"))?.text;
  return source === undefined ? [] : [source.slice(1, -1)];
};
