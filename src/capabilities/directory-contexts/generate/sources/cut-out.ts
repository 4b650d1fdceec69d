/**
 * What stands between two marks, and the text without it and them. In linear time, also where a mark is repeated and
 * never closed: a regular expression would look for the end again from each of them.
 */
export function cutOut(
  text: string,
  open: string,
  close: string,
): { readonly inside: readonly string[]; readonly outside: string } {
  const inside: string[] = [];
  let outside = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return { inside, outside: outside + text.slice(from) };
    inside.push(text.slice(start + open.length, end));
    outside += text.slice(from, start);
    from = end + close.length;
  }
}
