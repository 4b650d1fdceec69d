const LONGEST_HEAD = 10;

/** The last line of a declaration's head: where its body opens once every bracket is closed, or the declaration itself. */
export function headEnd(
  lines: readonly string[],
  { line, endLine }: { readonly line: number; readonly endLine: number },
): number {
  let open = 0;
  for (let at = line; at <= Math.min(endLine, line + LONGEST_HEAD); at++) {
    const text = lines[at - 1] ?? "";
    open += (text.match(/[([]/g)?.length ?? 0) - (text.match(/[)\]]/g)?.length ?? 0);
    if (open <= 0 && /(?:[{:;=]|=>)\s*$|\{.*\}$/.test(text)) return at;
  }
  return line;
}

/** The first line of the comment, decorators or attributes that stand right above a declaration. */
export function docStart(lines: readonly string[], line: number): number {
  let first = line;
  while (first > 1 && /^\s*(\/\/|\/?\*|#|@|--)/.test(lines[first - 2] ?? "")) first--;
  return first;
}

/** Whether a name stands in these lines as a word of its own. */
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
