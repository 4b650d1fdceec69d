/** The lines of a go.mod or go.work as words, each with the keyword of the block it stands in. */
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

/** The name a go.mod gives its module; empty where it gives none. */
export const goModuleName = (text: string): string =>
  goDirectives(text).find(([word]) => word === "module")?.[1] ?? "";
