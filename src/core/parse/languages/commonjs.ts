import type { Node } from "web-tree-sitter";

/** What a statement loads that declares nothing but the values of `require` calls. */
export function requiredBy(declarators: readonly Node[], text: string): readonly string[] {
  const calls = declarators.map((declarator) => {
    const start = declarator.childForFieldName("value")?.startIndex ?? text.length;
    return text.startsWith("require(", start) ? /["'`]([^"'`]+)/.exec(text.slice(start, start + 300)) : null;
  });
  return calls.every((call) => call !== null) ? calls.map((call) => call[1] ?? "") : [];
}

/** What an assignment names: `module.exports` itself, a name in it, or one in something else (`A.b`, `A.prototype.b`). */
export function assignedTo(left: Node | null): { readonly owner: string; readonly name: string } | undefined {
  if (left?.type !== "member_expression") return undefined;
  const written = left.text.replace(/\s+/g, "");
  if (written === "module.exports") return { owner: written, name: "" };
  const [, owner, name] = /^([\w$.]+)\.([\w$]+)$/.exec(written.replace(/^module\.(?=exports\.)/, "")) ?? [];
  return owner === undefined || name === undefined
    ? undefined
    : { owner: owner.replace(/\.prototype$/, ""), name };
}
