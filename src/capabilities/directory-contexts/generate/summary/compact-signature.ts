import type { ParsedSymbol } from "../../../../core/parse/parse.ts";

const MAX_LENGTH = 160;

/** The symbol's signature without export keywords, and without values that may be long or secret. */
export function compactSignature({
  signature,
  kind,
  name,
}: Pick<ParsedSymbol, "signature" | "kind" | "name">): string {
  const bare = withoutExporting(signature, name)
    .replace(/^(export\s+default\s+|export\s+|declare\s+|public\s+|pub(\([^)]*\))?\s+)+/, "")
    .replace(
      /^(?:(?:const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*(?:function\*?|func|def|fn)\s+(?=[\p{L}_$])/u,
      "",
    )
    .replace(/\s*(=|\{|:)?\s*$/, "");
  const shown = FORMATS.get(kind)?.(bare, name) ?? bare;
  return shown.length > MAX_LENGTH
    ? `${shown.slice(0, MAX_LENGTH - 3).replace(/\p{Surrogate}$/u, "")}...`
    : shown;
}

type SignatureFormat = (head: string, name: string) => string;

/** `exports = module.exports = class A` is `class A`, as is `exports.A = class`; `exports.a = 1` is `a = 1`. */
const withoutExporting: SignatureFormat = (signature, name) => {
  const value = signature.replace(/^(?:(?:module\.)?exports(?:\.[\w$]+)?(?:\s*=\s*|$))+/, "");
  if (value === signature) return signature;
  return /^class\b/.test(value) ? value : `${name} = ${value}`;
};

/** If several names are destructured, only the symbol's name is shown. */
const constant: SignatureFormat = (head, name) =>
  beforeValue(head.replace(/(?<=^(?:const|let|var)\s*)[[{].*$/s, () => name)) || name;

/** A class expression is shown like a declaration: `var A = class extends B` is `class A extends B`. */
const classLike: SignatureFormat = (head, name) =>
  head
    .replace(/^(?:(?:const|let|var)\s+)?[\w$]+\s*=\s*(?=(?:abstract\s+)?class\b)/, "")
    .replace(/^((?:abstract\s+)?class)(?=\s+extends\b|\s*[<{]|$)/, (word) => `${word} ${name}`);

/** A function expression is shown like a declaration: `const a = async (b)` and `a: function (b)` are `a(b)`. */
const functionLike: SignatureFormat = (head, name) => {
  const shown = withoutTexts(head);
  // An explicit type says more than the parameters of the value.
  if (/^(?:const|let|var)\s+[\w$]+\s*:/.test(shown)) return beforeValue(shown);
  const value = shown.replace(FUNCTION_VALUE, "");
  if (/^[(<]/.test(value)) return name + value;
  if (value !== shown) return `${name}(${value})`;
  return shown.startsWith(`${name} (`) ? name + shown.slice(name.length + 1) : shown;
};

const FUNCTION_VALUE =
  /^(?:(?:const|let|var)\s+[\w$]+\s*=|[\w$-]+\s*=|["']?[\w$-]+["']?:)?\s*(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?/;

const FORMATS: ReadonlyMap<string, SignatureFormat> = new Map([
  ["const", constant],
  ["var", constant],
  ["class", classLike],
  ["function", functionLike],
]);

function beforeValue(head: string): string {
  const value = marksOf(head).find(({ sign, depth }) => sign === "=" && depth === 0);
  return value ? head.slice(0, value.at).trimEnd() : head;
}

/** Default values that contain strings are hidden: they may be secrets that no rule recognises. */
function withoutTexts(head: string): string {
  let shown = "";
  let from = 0;
  let value: { readonly at: number; readonly depth: number; hasText: boolean } | undefined;
  const close = (end: number) => {
    if (value?.hasText) {
      shown += `${head.slice(from, value.at)}…`;
      from = value.at + head.slice(value.at, end).trimEnd().length;
    }
    value = undefined;
  };
  for (const { sign, at, end, depth } of marksOf(head)) {
    if (sign === '"') value &&= { ...value, hasText: true };
    else if (value && (depth < value.depth || (sign === "," && depth === value.depth))) close(at);
    else if (sign === "=" && depth > 0)
      value ??= { at: head[end] === " " ? end + 1 : end, depth, hasText: false };
  }
  close(head.length);
  return shown + head.slice(from);
}

/** A punctuation mark or a quoted string (`"`) of a signature, with its position and bracket depth. */
interface SignatureMark {
  readonly sign: string;
  readonly at: number;
  readonly end: number;
  /** Number of brackets around it. A bracket has the depth of its surroundings. */
  readonly depth: number;
}

/** Strings, arrows and comparisons, Rust lifetimes, and single marks. */
const MARKS =
  /"(?:[^"\\]|\\.)*"?|`(?:[^`\\]|\\.)*`?|'(?:static|_|[a-z])\b(?!')|'(?:[^'\\]|\\.)*'?|=>|->|[=!<>]=+|[=,()[\]{}<>]/gs;

/** The marks of a signature in order. Linear time: each string is read once, closed or not. */
function marksOf(signature: string): readonly SignatureMark[] {
  let depth = 0;
  return [...signature.matchAll(MARKS)].flatMap(({ 0: found, index }) => {
    const at = { at: index, end: index + found.length };
    if (/^["'`]/.test(found)) return /^'\w*$/.test(found) ? [] : [{ sign: '"', ...at, depth }];
    if (found.length > 1) return [];
    if (/[([{<]/.test(found)) return [{ sign: found, ...at, depth: depth++ }];
    // A closing bracket without an opening one is an operator or a fragment.
    if (/[)\]}>]/.test(found)) depth = Math.max(0, depth - 1);
    return [{ sign: found, ...at, depth }];
  });
}
