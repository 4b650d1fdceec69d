import type { Node } from "web-tree-sitter";

/** What a statement loads that declares nothing but the values of `require` calls. */
export function requiredBy(declarators: readonly Node[], text: string): readonly string[] {
  const calls = declarators.map((declarator) => {
    const start = declarator.childForFieldName("value")?.startIndex ?? text.length;
    return text.startsWith("require(", start) ? /["'`]([^"'`]+)/.exec(text.slice(start, start + 300)) : null;
  });
  return calls.every((call) => call !== null) ? calls.map((call) => call[1] ?? "") : [];
}

/** The module that a value is, if it is nothing but a `require` call. */
export function requiredModule(value: Node | null): string | undefined {
  if (value?.type !== "call_expression" || value.endIndex - value.startIndex > MAX_REQUIRE) return undefined;
  return /^require\(\s*["'`]([^"'`]+)["'`]\s*\)$/.exec(value.text)?.[1];
}

const MAX_REQUIRE = 300;

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

function assignedTo(left: Node | null): Target | undefined {
  if (left?.type !== "member_expression") return undefined;
  const written = left.text.replace(/\s+/g, "");
  if (written === "module.exports") return { owner: written, name: "" };
  const [, owner, name] = /^([\w$.]+)\.([\w$]+)$/.exec(written.replace(/^module\.(?=exports\.)/, "")) ?? [];
  return owner === undefined || name === undefined
    ? undefined
    : { owner: owner.replace(/\.prototype$/, ""), name };
}
