/** The lines of a go.mod or go.work as words, each with the keyword of its block. */
export function goDirectives(text: string): readonly (readonly string[])[] {
  const directives: string[][] = [];
  let block: string[] = [];
  for (const line of text.split("\n")) {
    const words = line
      .replace(/\/\/.*/, "")
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word) => word.replace(/^"|"$/g, ""));
    const [first, second] = words;
    if (first === ")") block = [];
    else if (first !== undefined && second === "(") block = [first];
    else if (first !== undefined) directives.push([...block, ...words]);
  }
  return directives;
}

/** The module name in a go.mod; empty if there is none. */
export const goModuleName = (text: string): string =>
  goDirectives(text).find(([word]) => word === "module")?.[1] ?? "";
