import { defineLanguage } from "../../language.ts";

export const perl = defineLanguage({
  id: "perl",
  name: "Perl",
  extensions: ["pl", "pm", "t", "psgi"],
  interpreters: ["perl"],
  patterns: {
    extent: "brackets",
    comment: /^\s*#/,
    block: { start: /^=\w+/, end: /^=cut\b/ },
    docMarks: /^=(?:pod|head\d|item|begin|cut)\b/,
    definitions: [
      { kind: "module", match: /^\s*package\s+(?<name>[\w:]+)\s*;/, extent: "line" },
      { kind: "module", match: /^\s*(?:package|class|role)\s+(?<name>[\w:]+)/, isHolder: true },
      { kind: "function", match: /^\s*(?:my\s+|our\s+|async\s+)?(?:sub|method|fun)\s+(?<name>[\w:]+)/ },
      { kind: "const", match: /^\s*use\s+constant\s+(?<name>\w+)\s*=>/, extent: "line" },
      { kind: "var", match: /^our\s+[$@%](?<name>\w+)/, extent: "line" },
    ],
  },
});
