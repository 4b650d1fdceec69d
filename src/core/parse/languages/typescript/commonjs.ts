import type { Node } from "web-tree-sitter";

/** Whether a value starts with a `require` call: `require("a")`, `require("a").b`. */
export function startsWithRequire(value: Node | null, text: string): boolean {
  return value !== null && /^require\(\s*["'`]/.test(text.slice(value.startIndex, value.startIndex + 40));
}

/** The module that a value is, if it is nothing but a `require` call. */
export function requiredModule(value: Node | null): string | undefined {
  if (value?.type !== "call_expression" || value.endIndex - value.startIndex > MAX_REQUIRE) return undefined;
  return /^require\(\s*["'`]([^"'`]+)["'`]\s*\)$/.exec(value.text)?.[1];
}

const MAX_REQUIRE = 300;

/** Set by compilers for those who load the module; nobody else asks for it. */
export const MODULE_MARK = "__esModule";

/** What an assignment names: `module.exports` itself, a name in it, or one in something else (`A.b`, `A.prototype.b`). */
export interface Target {
  readonly owner: string;
  readonly name: string;
}

/** What is named by `a = b = value`, and the value; `undefined` for what is no assignment to a member. */
export function assignmentOf(
  node: Node,
): { readonly targets: readonly Target[]; readonly value: Node } | undefined {
  const targets: Target[] = [];
  let value: Node | null = node;
  while (value?.type === "assignment_expression") {
    const target = assignedTo(value.childForFieldName("left"));
    if (target) targets.push(target);
    value = value.childForFieldName("right");
  }
  return value === null || targets.length === 0 ? undefined : { targets, value };
}

/** The value of `b = c = value`, or what is no assignment itself. */
export function endOfChain(value: Node | null): Node | null {
  let end = value;
  while (end?.type === "assignment_expression") end = end.childForFieldName("right");
  return end;
}

function assignedTo(left: Node | null): Target | undefined {
  if (left?.type !== "member_expression") return undefined;
  const written = left.text.replace(/\s+/g, "");
  if (written === "module.exports") return { owner: written, name: "" };
  const [, owner, name] = /^([\w$.]+)\.([\w$]+)$/.exec(written.replace(/^module\.(?=exports\.)/, "")) ?? [];
  return owner === undefined || name === undefined || name === MODULE_MARK
    ? undefined
    : { owner: owner.replace(/\.prototype$/, ""), name };
}
