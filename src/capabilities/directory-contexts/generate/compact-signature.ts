import type { ParsedSymbol } from "../../../core/parse/parse.ts";

/** The symbol's head without the words that say it is exported, and without the value of a constant. */
export function compactSignature({
  signature,
  kind,
  name,
}: Pick<ParsedSymbol, "signature" | "kind" | "name">): string {
  const bare = withoutExporting(signature, name)
    .replace(/^(export\s+default\s+|export\s+|declare\s+|public\s+|pub(\([^)]*\))?\s+)+/, "")
    .replace(/^(async\s+)?(function\*?|func|def|fn)\s+(?=\w)/, "")
    .replace(/^(async\s+)?def\s+/, "")
    .replace(/\s*(=|\{|:)?\s*$/, "");
  const head = kind === "function" ? called(bare, name) : bare;
  // A value may be long or secret, and it is not what the reader looks for.
  const shown = kind === "const" || kind === "var" ? withoutValue(head, name) : head;
  return shown.length > 160 ? `${shown.slice(0, 157).replace(/\p{Surrogate}$/u, "")}...` : shown;
}

/** Of several names that are bound at once the one in question is told. */
const withoutValue = (head: string, name: string) =>
  head.replace(/(?<=^(?:const|let|var)\s*)[[{].*$/s, () => name).replace(/\s*=.*$/s, "") || name;

/** `exports = module.exports = class A` is `class A`, as is `exports.A = class`; `exports.a = 1` is `a = 1`. */
function withoutExporting(signature: string, name: string): string {
  const value = signature.replace(/^(?:(?:module\.)?exports(?:\.[\w$]+)?(?:\s*=\s*|$))+/, "");
  if (value === signature) return signature;
  return /^class\b/.test(value)
    ? value.replace(/^class(?=\s+extends\b|$)/, () => `class ${name}`)
    : `${name} = ${value}`;
}

/** A function that is the value of something, written as any other: `const a = async (b)` and `a: function (b)` are `a(b)`. */
function called(signature: string, name: string): string {
  const value = signature.replace(FUNCTION_VALUE, "");
  if (value === signature) return signature;
  return /^[(<]/.test(value) ? name + value : `${name}(${value})`;
}

const FUNCTION_VALUE =
  /^(?:(?:const|let|var)\s+[\w$]+\s*=|[\w$]+\s*=|["']?[\w$-]+["']?:)\s*(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?/;
