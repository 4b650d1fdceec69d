import { defineLanguage } from "../../language.ts";

export const graphql = defineLanguage({
  id: "graphql",
  name: "GraphQL",
  extensions: ["graphql", "gql", "graphqls"],
  patterns: {
    extent: "brackets",
    comment: /^\s*#/,
    block: { start: /^\s*"""/, end: /"""\s*$/ },
    definitions: [
      { kind: "struct", match: /^(?:extend\s+)?(?:type|input)\s+(?<name>\w+)/, isHolder: true },
      { kind: "interface", match: /^(?:extend\s+)?interface\s+(?<name>\w+)/, isHolder: true },
      { kind: "enum", match: /^(?:extend\s+)?enum\s+(?<name>\w+)/, isHolder: true },
      { kind: "type", match: /^(?:extend\s+)?(?:union|scalar)\s+(?<name>\w+)/, extent: "line" },
      { kind: "macro", match: /^directive\s+@(?<name>\w+)/, extent: "line" },
      { kind: "function", match: /^(?:query|mutation|subscription|fragment)\s+(?<name>\w+)/ },
      {
        kind: "field",
        match: /^\s+(?<name>\w+)\s*(?:\([^)]*\))?\s*:/,
        within: ["struct", "interface"],
        extent: "line",
      },
      { kind: "const", match: /^\s+(?<name>[A-Z_][A-Z0-9_]*)\s*(?:@.*)?$/, within: ["enum"], extent: "line" },
    ],
  },
});
