import { defineLanguage } from "../../language.ts";

export const elm = defineLanguage({
  id: "elm",
  name: "Elm",
  extensions: ["elm"],
  patterns: {
    extent: "indent",
    comment: /^\s*--/,
    block: { start: /^\s*\{-/, end: /-\}\s*$/ },
    text: { start: /"""(?!.*""")/, end: /"""/ },
    // A signature stands above its function.
    between: /^[a-z]\w*\s+:\s/,
    definitions: [
      { kind: "module", match: /^(?:port\s+|effect\s+)?module\s+(?<name>[\w.]+)/, extent: "line" },
      { kind: "type", match: /^type\s+alias\s+(?<name>[A-Z]\w*)/ },
      { kind: "enum", match: /^type\s+(?<name>[A-Z]\w*)/ },
      { kind: "function", match: /^port\s+(?<name>[a-z]\w*)\s*:/ },
      {
        kind: "function",
        match: /^(?!(?:if|let|case|import|infix)\b)(?<name>[a-z]\w*)(?:\s[^=:]*)?\s=(?:\s|$)/,
      },
    ],
  },
});
