import { defineLanguage } from "../../language.ts";

export const erlang = defineLanguage({
  id: "erlang",
  name: "Erlang",
  extensions: ["erl", "hrl", "escript"],
  interpreters: ["escript"],
  patterns: {
    extent: /\.\s*(?:%.*)?$/,
    comment: /^\s*%/,
    between: /^-(?:spec|doc)\b.*\.\s*$/,
    definitions: [
      { kind: "module", match: /^-module\(\s*(?<name>\w+)/, extent: "line" },
      { kind: "struct", match: /^-record\(\s*'?(?<name>\w+)/ },
      { kind: "macro", match: /^-define\(\s*(?<name>\w+)/ },
      { kind: "type", match: /^-(?:type|opaque)\s+(?<name>\w+)/ },
      { kind: "method", match: /^-callback\s+(?<name>\w+)/ },
      { kind: "function", match: /^'?(?<name>[a-z][\w@]*)'?\s*\(/ },
    ],
  },
});
