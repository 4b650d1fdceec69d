import { defineLanguage } from "../../language.ts";

export const solidity = defineLanguage({
  id: "solidity",
  name: "Solidity",
  extensions: ["sol"],
  patterns: {
    extent: "brackets",
    comment: /^\s*(?:\/\/|\*)/,
    block: { start: /^\s*\/\*/, end: /\*\// },
    definitions: [
      { kind: "class", match: /^\s*(?:abstract\s+)?contract\s+(?<name>\w+)/, isHolder: true },
      { kind: "module", match: /^\s*library\s+(?<name>\w+)/, isHolder: true },
      { kind: "interface", match: /^\s*interface\s+(?<name>\w+)/, isHolder: true },
      { kind: "struct", match: /^\s*struct\s+(?<name>\w+)/ },
      { kind: "enum", match: /^\s*enum\s+(?<name>\w+)/ },
      { kind: "function", match: /^\s*(?:function|modifier)\s+(?<name>\w+)/ },
      { kind: "method", match: /^\s*(?<name>constructor|receive|fallback)\s*\(/ },
      { kind: "type", match: /^\s*(?:event|error|type)\s+(?<name>\w+)/ },
      {
        kind: "field",
        match:
          /^\s*(?:mapping\s*\(.*\)|[\w.[\]]+)\s+(?:(?:public|private|internal|constant|immutable|override)\s+)+(?<name>\w+)\s*[;=]/,
        within: ["class", "module", "interface"],
      },
    ],
  },
});
