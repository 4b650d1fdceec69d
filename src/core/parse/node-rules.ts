import type { Node } from "web-tree-sitter";
import type { Declaration, Declared, FileFact, Place, Rules } from "./rules.ts";

/** What a node of one type declares. */
interface NodeRule {
  readonly kind: string | ((node: Node, place: Place) => string | undefined);
  /** Default: the text of the field `name`. Without a name there is no declaration. */
  readonly name?: (node: Node) => string | undefined;
  /** Where the head ends. Default: the field `body`. */
  readonly body?: (node: Node) => Node | null;
  /** Where the symbol ends, if not with the node. */
  readonly end?: (node: Node) => Node | undefined;
  /** Whether the declarations in the body are members; or the node that holds them. */
  readonly members?: boolean | ((node: Node) => Node | null);
  /** The type it belongs to, if it is not written inside of it. */
  readonly parent?: (node: Node, place: Place) => string | undefined;
}

type Declares = (node: Node, place: Place) => Declared;

export interface RuleTable
  extends Pick<
    Rules,
    "commentStarts" | "docText" | "fileDoc" | "loads" | "isFault" | "isBetween" | "hasTightDocs" | "recovery"
  > {
  readonly comments: readonly string[];
  /** Siblings that may stand between a comment and its declaration. */
  readonly between?: readonly string[];
  /** Children before the head that are not part of it: annotations, attributes. */
  readonly attributes?: readonly string[];
  readonly declarations: Readonly<Record<string, NodeRule | Declares>>;
  /** Node types that hold declarations and are none themselves. */
  readonly holders?: readonly string[];
  readonly facts?: Readonly<Record<string, (node: Node, place: Place) => FileFact | undefined>>;
  readonly isExported?: (node: Node, name: string, place: Place) => boolean;
}

/** Rules from a table of node types: enough for most languages. */
export function nodeRules(table: RuleTable): Rules {
  const holders = new Set(table.holders);
  const attributes = new Set(table.attributes);
  const declarations = new Map(Object.entries(table.declarations));
  const facts = new Map(Object.entries(table.facts ?? {}));
  return {
    isFault: () => false,
    ...table,
    comments: new Set(table.comments),
    between: new Set(table.between),
    header: (node, type, place) => facts.get(type)?.(node, place),
    declares(node, type, place) {
      const rule = declarations.get(type);
      if (rule === undefined) return holders.has(type) ? { inside: node.children } : undefined;
      if (typeof rule === "function") return rule(node, place);
      const found = declared(node, rule, place);
      if (found === undefined) return undefined;
      const head = attributes.size > 0 ? headOf(node, attributes) : undefined;
      const exported = table.isExported?.(node, found.name, place) ?? true;
      return [{ ...found, exported: exported && !place.isHidden, ...(head && { head }) }];
    },
  };
}

/** A function is a method inside of a type, and stays a function inside of a module or namespace. */
export const callable = (_node: Node, place: Place): string =>
  place.parent === undefined || place.parentKind === "module" ? "function" : "method";

export const field =
  (name: string) =>
  (node: Node): Node | null =>
    node.childForFieldName(name);

export const childOfType =
  (...types: readonly string[]) =>
  (node: Node): Node | null =>
    node.namedChildren.find(({ type }) => types.includes(type)) ?? null;

export const textOfChild =
  (...types: readonly string[]) =>
  (node: Node): string | undefined =>
    childOfType(...types)(node)?.text;

/** Longer values are data, not a signature. */
const MAX_VALUE_LENGTH = 80;

/** The head of a variable ends before a long value. */
export const longValue =
  (name = "value") =>
  (node: Node): Node | null =>
    node.endIndex - node.startIndex > MAX_VALUE_LENGTH ? node.childForFieldName(name) : null;

function declared(node: Node, rule: NodeRule, place: Place): Declaration | undefined {
  const kind = typeof rule.kind === "string" ? rule.kind : rule.kind(node, place);
  const name = kind === undefined ? undefined : nameOf(node, rule);
  if (kind === undefined || name === undefined || name === "") return undefined;
  const body = rule.body ? rule.body(node) : node.childForFieldName("body");
  const members = typeof rule.members === "function" ? rule.members(node) : rule.members ? body : null;
  const parent = rule.parent?.(node, place);
  const end = rule.end?.(node);
  return {
    name,
    kind,
    exported: true,
    body,
    ...(members && { members }),
    ...(parent !== undefined && { parent }),
    ...(end && { end }),
  };
}

const nameOf = (node: Node, { name }: NodeRule) => (name ? name(node) : node.childForFieldName("name")?.text);

/** The first child that is no attribute; modifiers may begin with some. */
function headOf(node: Node, attributes: ReadonlySet<string>): Node | undefined {
  for (const child of node.children) {
    if (attributes.has(child.type)) continue;
    const first = child.type.endsWith("modifiers")
      ? child.children.find(({ type }) => !attributes.has(type))
      : child;
    if (first) return first;
  }
  return undefined;
}
