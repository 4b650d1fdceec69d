/** A sign that gives a signature its structure, or a text in quotes (`"`), where it stands and how deep in brackets. */
export interface Mark {
  readonly sign: string;
  readonly at: number;
  readonly end: number;
  /** Of the brackets around it; a bracket stands as deep as what is around it. */
  readonly depth: number;
}

/** Texts, arrows and comparisons, lifetimes of Rust, and single signs. */
const MARKS =
  /"(?:[^"\\]|\\.)*"?|`(?:[^`\\]|\\.)*`?|'(?:static|_|[a-z])\b(?!')|'(?:[^'\\]|\\.)*'?|=>|->|[=!<>]=+|[=,()[\]{}<>]/gs;

/** The marks of a signature in their order. In linear time: each text is read once, closed or not. */
export function marksOf(signature: string): readonly Mark[] {
  let depth = 0;
  return [...signature.matchAll(MARKS)].flatMap(({ 0: found, index }) => {
    const at = { at: index, end: index + found.length };
    if (/^["'`]/.test(found)) return /^'\w*$/.test(found) ? [] : [{ sign: '"', ...at, depth }];
    if (found.length > 1) return [];
    if (/[([{<]/.test(found)) return [{ sign: found, ...at, depth: depth++ }];
    // What closes more than was opened is an operator or half of something.
    if (/[)\]}>]/.test(found)) depth = Math.max(0, depth - 1);
    return [{ sign: found, ...at, depth }];
  });
}
