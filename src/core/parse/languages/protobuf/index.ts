import { defineLanguage } from "../../language.ts";

export const protobuf = defineLanguage({
  id: "protobuf",
  name: "Protocol Buffers",
  extensions: ["proto"],
  patterns: {
    extent: "brackets",
    comment: /^\s*(?:\/\/|\*)/,
    block: { start: /^\s*\/\*/, end: /\*\// },
    definitions: [
      { kind: "struct", match: /^\s*message\s+(?<name>\w+)/, isHolder: true },
      { kind: "enum", match: /^\s*enum\s+(?<name>\w+)/, isHolder: true },
      { kind: "interface", match: /^\s*service\s+(?<name>\w+)/, isHolder: true },
      { kind: "method", match: /^\s*rpc\s+(?<name>\w+)/ },
      { kind: "const", match: /^\s*(?<name>[A-Z]\w*)\s*=\s*-?\w+/, within: ["enum"], extent: "line" },
      {
        kind: "field",
        match: /^\s*(?:(?:optional|required|repeated)\s+)?(?:map\s*<[^>]+>|[\w.]+)\s+(?<name>\w+)\s*=\s*\d+/,
        within: ["struct"],
        extent: "line",
      },
    ],
  },
});
