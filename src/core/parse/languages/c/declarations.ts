import type { Node } from "web-tree-sitter";
import type { RuleTable } from "../../node-rules.ts";
import type { Declaration, Place } from "../../rules.ts";

/** Longer values are data, not a signature. */
const MAX_VALUE_LENGTH = 80;
const SPECIFIERS: Readonly<Record<string, string>> = {
  struct_specifier: "struct",
  union_specifier: "struct",
  class_specifier: "class",
  enum_specifier: "enum",
};
/** `#ifndef A_H` `#define A_H` only says that the file was read. */
const GUARD = /_(?:H|HH|HPP|HXX|H_|HPP_|INCLUDED|H__)_*$/;

/** Node types that C and C++ share. */
export const C_TABLE = {
  comments: ["comment"],
  recovery: {
    extent: "brackets",
    comment: /^\s*\/\//,
    block: { start: /^\s*\/\*/, end: /\*\// },
    definitions: [
      { kind: "macro", match: /^\s*#\s*define\s+(?<name>\w+)/, extent: "line" },
      {
        kind: "class",
        match:
          /^\s*(?:template\s*<.{0,200}>\s*)?(?:class|struct|union|enum)\s+(?:class\s+)?(?:[A-Z][A-Z0-9_]+\s+)?(?<name>\w+)(?=\s*(?:final\s*)?(?:[:{]|$))/,
      },
      {
        kind: "function",
        match:
          /^\s*(?!(?:return|else|if|for|while|switch|case|typedef|using|delete|throw|new|goto|co_return)\b)(?:[A-Za-z_][\w:<>,]*[ \t*&]+){1,6}(?<name>~?\w+|operator\s*[^\s\w(]{1,3}|operator\(\))\s*\([^;]*$/,
      },
    ],
  },
  commentStarts: /\/[/*]/,
  holders: [
    ...["preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "preproc_elifdef"],
    ...["linkage_specification", "declaration_list"],
  ],
  facts: {
    preproc_include: (node) => ({ imports: [(node.childForFieldName("path")?.text ?? "").slice(1, -1)] }),
  },
  declarations: {
    preproc_def: macro,
    preproc_function_def: macro,
    function_definition: functionDefinition,
    declaration: (node, place) => [...specifier(node), ...declarators(node, place)],
    field_declaration: (node, place) => [...specifier(node), ...declarators(node, place)],
    // Left over where the grammar lost the rest of a definition, as between two halves of an `#if`.
    function_declarator: (node, place) => lostFunction(node, place),
    type_definition: (node) => typeDefinition(node),
    struct_specifier: specified,
    union_specifier: specified,
    class_specifier: specified,
    enum_specifier: specified,
    enumerator: (node) => [{ name: nameOf(node), kind: "const", exported: true }],
  },
} as const satisfies RuleTable;

/**
 * Blanks macros where a grammar without a preprocessor takes them for types: `class API Name {`, `API Type name(`,
 * and those that have a line of their own. Lengths stay, so that places in the tree are places in the text.
 */
export const withoutMacros = (text: string): string =>
  MACROS.reduce(
    (bare, macro) =>
      bare.replace(macro, (_all, before: string, written: string) => before + " ".repeat(written.length)),
    text,
  );

const MACROS = [
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]+(?:\([^()\n]{0,80}\))?)(?=[ \t]+[A-Za-z_][\w:]*(?:[ \t]+final)?\s*[:{])/g,
  /^([ \t]*)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,80}\))?(?:[ \t]+[A-Z][A-Z0-9_]{2,})?)(?=[ \t]+(?:[a-z]\w*[ \t]+)*[A-Za-z_]\w*[ \t*&]+[A-Za-z_][\w:]*[ \t]*\()/gm,
  // The last enumerator and the operand of an expression over several lines stay.
  /^([ \t]*)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=[ \t]*\r?\n(?!\s*[-}),\]|&+*=?.;<>:({[]))/gm,
];

interface DeclaredName {
  readonly name: string;
  /** `A` of `A::b`. */
  readonly scope?: string;
  readonly isFunction: boolean;
}

const NAMES = new Set([
  ...["identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name"],
  ...["operator_cast", "template_function", "primitive_type"],
]);

/** The name inside of pointers, arrays, parameters and brackets. */
function declaredName(declarator: Node | null): DeclaredName | undefined {
  let node = declarator;
  let isFunction = false;
  let scope: string | undefined;
  // Types of people nest a few levels; those of attackers end here.
  for (let depth = 0; node && depth < 32; depth++) {
    if (node.type === "qualified_identifier") {
      scope = lastName(node.childForFieldName("scope")?.text ?? "") || scope;
      node = node.childForFieldName("name");
      continue;
    }
    if (NAMES.has(node.type)) {
      const name = node.type === "template_function" ? nameOf(node) : spaced(node.text);
      return name === "" ? undefined : { name, isFunction, ...(scope !== undefined && { scope }) };
    }
    const inner: Node | null = node.childForFieldName("declarator") ?? innerDeclarator(node);
    // `int (*f)(int)` is a variable; `int (f)(int)` and `int (*f(void))(int)` are functions.
    if (node.type === "function_declarator")
      isFunction =
        !isPointerTo(inner) || (inner?.text.includes("(", 1) === true && /\w\s*\(/.test(inner.text));
    node = inner;
  }
  return undefined;
}

const innerDeclarator = (node: Node) =>
  node.namedChildren.find(
    ({ type }) => type.endsWith("declarator") || NAMES.has(type) || type === "qualified_identifier",
  ) ?? null;

const isPointerTo = (node: Node | null) =>
  node?.type === "parenthesized_declarator" && /^\(\s*(?:[\w:]+\s*)?[*^&]/.test(node.text);

const lastName = (scope: string) =>
  /(~?\w+)\s*(?:<[\s\S]*>)?$/.exec(scope.replace(/<[\s\S]*$/, ""))?.[1] ?? "";
const spaced = (name: string) =>
  name
    .replace(/\s+/g, " ")
    .replace(/^operator (?=\W)/, "operator")
    .slice(0, 80);
const nameOf = (node: Node) => node.childForFieldName("name")?.text ?? "";
const isStatic = (node: Node) =>
  node.children.some((child) => child.type === "storage_class_specifier" && child.text === "static");

function macro(node: Node): readonly Declaration[] {
  const name = nameOf(node);
  const value = node.childForFieldName("value");
  if (value === null && GUARD.test(name)) return [];
  const isLong = node.endIndex - node.startIndex > MAX_VALUE_LENGTH || node.type === "preproc_function_def";
  return [{ name, kind: "macro", exported: true, body: isLong ? value : null }];
}

function functionDefinition(node: Node, place: Place): readonly Declaration[] | undefined {
  const found = declaredName(node.childForFieldName("declarator"));
  const body = node.childForFieldName("body") ?? lastBody(node);
  // A macro that the grammar took for a type leaves `class API Name {` as a function without parameters.
  const type = node.childForFieldName("type");
  if (found && !found.isFunction && type && SPECIFIERS[type.type] && body)
    return [
      { name: found.name, kind: SPECIFIERS[type.type] ?? "class", exported: true, body, members: body },
    ];
  if (!found?.isFunction) return undefined;
  return [{ ...callableNamed(found, place), exported: !isStatic(node), body }];
}

/** `= default`, `= delete` and a `try` block stand in the place of a body. */
const lastBody = (node: Node) =>
  node.namedChildren.find(({ type }) =>
    /^(?:default|delete)_method_clause$|^try_statement$|^field_initializer_list$/.test(type),
  ) ?? null;

const callableNamed = ({ name, scope }: DeclaredName, place: Place) => {
  const isMember = scope !== undefined || (place.parent !== undefined && place.parentKind !== "module");
  return { name, kind: isMember ? "method" : "function", ...(scope !== undefined && { parent: scope }) };
};

function lostFunction(node: Node, place: Place): readonly Declaration[] {
  const found = declaredName(node);
  return found?.isFunction ? [{ ...callableNamed(found, place), exported: true }] : [];
}

function declarators(node: Node, place: Place): readonly Declaration[] {
  const isField = place.parent !== undefined && place.parentKind !== "module";
  const isConstant = node.children.some(({ type, text }) => type === "type_qualifier" && /^const/.test(text));
  return node.childrenForFieldName("declarator").flatMap((declarator): readonly Declaration[] => {
    const found = declaredName(declarator);
    if (!found) return [];
    if (found.isFunction)
      return [{ ...callableNamed(found, place), exported: !isStatic(node), isDeclaredOnly: true }];
    // Variables in an error are those of a function that was lost.
    if (place.holder?.type === "ERROR") return [];
    if (isField) return [{ name: found.name, kind: "field", exported: true }];
    const value = declarator.childForFieldName("value");
    const isLong = node.endIndex - node.startIndex > MAX_VALUE_LENGTH;
    return [
      {
        name: found.name,
        kind: isConstant ? "const" : "var",
        exported: !isStatic(node),
        body: isLong ? value : null,
        ...(found.scope !== undefined && { parent: found.scope }),
      },
    ];
  });
}

/** The struct that `struct a { … } b;` declares beside `b`. */
function specifier(node: Node): readonly Declaration[] {
  const type = node.childForFieldName("type");
  return type ? specified(type) : [];
}

function specified(node: Node): readonly Declaration[] {
  const body = node.childForFieldName("body");
  const kind = SPECIFIERS[node.type];
  const name = lastName(nameOf(node));
  if (body === null || kind === undefined) return [];
  // Members of a struct without a name belong to what is around it.
  return name === "" ? [] : [{ name, kind, exported: true, body, members: body, head: node }];
}

/** `typedef struct { … } name;` names the struct; other typedefs are types of their own. */
function typeDefinition(node: Node): readonly Declaration[] {
  const type = node.childForFieldName("type");
  const own = type ? specified(type) : [];
  const names = node
    .childrenForFieldName("declarator")
    .flatMap((declarator) => declaredName(declarator)?.name ?? []);
  const body = type?.childForFieldName("body") ?? null;
  const kind = type ? SPECIFIERS[type.type] : undefined;
  const [first, ...others] = names;
  if (body && kind !== undefined && own.length === 0 && first !== undefined)
    return [
      { name: first, kind, exported: true, body, members: body },
      ...others.map((name) => ({ name, kind: "type", exported: true, body })),
    ];
  return [
    ...own,
    ...names
      .filter((name) => own.every((other) => other.name !== name))
      .map((name) => ({ name, kind: "type", exported: true, body })),
  ];
}
