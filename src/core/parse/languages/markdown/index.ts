import { defineLanguage } from "../../language.ts";

export const markdown = defineLanguage({
  id: "markdown",
  name: "Markdown",
  extensions: ["md", "markdown", "mdx", "mkd"],
  isDocument: true,
  patterns: {
    extent: "next",
    // Code is not searched for headings.
    block: { start: /^\s{0,3}(?:`{3,}|~{3,})/, end: /^\s{0,3}(?:`{3,}|~{3,})\s*$/, isCode: true },
    level: (line) => /^#+/.exec(line)?.[0].length ?? 1,
    definitions: [{ kind: "heading", match: /^#{1,6}[ \t]+(?<name>\S[^\n]*?)[ \t]*#*$/, isHolder: true }],
  },
});
