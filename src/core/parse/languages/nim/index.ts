import { defineLanguage } from "../../language.ts";

/** A star after the name exports it. */
const isStarred = (line: string) => /^\s*(?:\w+\s+)?`?[^\s`([{]+`?\*/.test(line);

export const nim = defineLanguage({
  id: "nim",
  name: "Nim",
  extensions: ["nim", "nims", "nimble"],
  interpreters: ["nim"],
  patterns: {
    extent: "indent",
    comment: /^\s*#/,
    definitions: [
      {
        kind: "function",
        match: /^\s*(?:proc|func|method|iterator|converter)\s+`?(?<name>[^\s`*([{]+)/,
        exported: isStarred,
      },
      { kind: "macro", match: /^\s*(?:template|macro)\s+`?(?<name>[^\s`*([{]+)/, exported: isStarred },
      {
        kind: "type",
        match:
          /^(?:type)?\s+(?<name>\w+)\*?(?:\s*\{[^}]*\})?(?:\[[^\]]*\])?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|distinct|concept)\b/,
        exported: isStarred,
      },
      { kind: "const", match: /^const\s+(?<name>\w+)/, extent: "line", exported: isStarred },
    ],
  },
});
