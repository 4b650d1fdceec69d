import { parseSource } from "../../src/core/parse/parse.ts";

/** Each symbol of a source file on one line: its lines, kind, parent, signature and doc comment. */
export async function symbolLines(path: string, text: string): Promise<string[]> {
  const parsed = await parseSource(path, text);
  return (parsed?.symbols ?? []).map(
    ({ startLine, endLine, kind, parent, name, signature, doc, exported }) =>
      `${startLine}-${endLine} ${exported ? "+" : "-"}${kind} ${parent ? `${parent}.` : ""}${name}: ${signature}${doc ? ` // ${doc}` : ""}`,
  );
}
