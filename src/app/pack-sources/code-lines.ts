const LONGEST_HEAD = 10;

/** The last line of a declaration's head: the body opens there and every bracket is closed. Else its first line. */
export function headEnd(
  lines: readonly string[],
  { line, endLine }: { readonly line: number; readonly endLine: number },
): number {
  let open = 0;
  for (let at = line; at <= Math.min(endLine, line + LONGEST_HEAD); at++) {
    const text = lines[at - 1] ?? "";
    open += (text.match(/[([]/g)?.length ?? 0) - (text.match(/[)\]]/g)?.length ?? 0);
    if (open <= 0 && opensBody(text)) return at;
  }
  return line;
}

/** The line that declares the name: below decorators, attributes and comments, which some languages put into the symbol. */
export function declarationLine(
  lines: readonly string[],
  { line, endLine }: { readonly line: number; readonly endLine: number },
): number {
  let open = 0;
  for (let at = line; at < endLine; at++) {
    const text = (lines[at - 1] ?? "").trim();
    if (open <= 0 && text !== "" && !/^(?:@|#\[|\/\/|\/?\*|#(?!\w)|\[\w)/.test(text)) return at;
    open += (text.match(/[([]/g)?.length ?? 0) - (text.match(/[)\]]/g)?.length ?? 0);
  }
  return line;
}

/** Also if the body ends on the same line. */
const opensBody = (line: string): boolean =>
  /(?:[{:;=]|=>)$/.test(line.trimEnd()) || (line.endsWith("}") && line.includes("{"));

/** The first line of the comment, decorators or attributes right above a declaration. */
export function docStart(lines: readonly string[], line: number): number {
  let first = line;
  while (first > 1 && /^\s*(\/\/|\/?\*|#|@|--)/.test(lines[first - 2] ?? "")) first--;
  return first;
}

/** Like `mentions`, for many names: the lines are read once, not once per name. */
export function mentionedIn(lines: readonly string[]): (name: string) => boolean {
  const words = new Set(lines.flatMap((line) => line.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  return (name) => words.has(name) || (/[^\p{L}\p{N}_$]/u.test(name) && mentions(lines, name));
}

/** Whether these lines contain the name as a whole word. */
export function mentions(lines: readonly string[], name: string): boolean {
  if (name === "") return false;
  const isWordPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  return lines.some((line) => {
    for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1))
      if (!isWordPart(line[at - 1]) && !isWordPart(line[at + name.length])) return true;
    return false;
  });
}
