import { defineLanguage } from "../../language.ts";

export const objectiveC = defineLanguage({
  id: "objective-c",
  name: "Objective-C",
  extensions: ["m", "mm"],
  patterns: {
    extent: "brackets",
    comment: /^\s*(?:\/\/|\*)/,
    block: { start: /^\s*\/\*/, end: /\*\// },
    definitions: [
      {
        kind: "class",
        match: /^@(?:interface|implementation)\s+(?<name>\w+)/,
        isHolder: true,
        extent: /^@end\b/,
      },
      { kind: "interface", match: /^@protocol\s+(?<name>\w+)(?!.*;)/, isHolder: true, extent: /^@end\b/ },
      { kind: "method", match: /^[-+]\s*\([^)]*\)\s*(?<name>\w+:?)/ },
      { kind: "field", match: /^\s*@property\b.*?(?<name>\w+)\s*;/, extent: "line" },
      { kind: "macro", match: /^#define\s+(?<name>\w+)/, extent: "line" },
      { kind: "enum", match: /^\s*typedef\s+NS_(?:ENUM|OPTIONS|CLOSED_ENUM)\s*\(\s*\w+\s*,\s*(?<name>\w+)/ },
      { kind: "type", match: /^\s*typedef\s[^;({]*\(\s*\^\s*(?:_\w+\s+)?(?<name>\w+)\s*\)/, extent: "line" },
      { kind: "struct", match: /^\s*(?:typedef\s+)?struct\s+(?<name>\w+)\s*\{/ },
      {
        kind: "function",
        match: /^(?!return\b|else\b|if\b)(?:[A-Za-z_][\w*]*[ \t*]+){1,5}(?<name>\w+)\s*\([^;]*$/,
      },
    ],
  },
});
