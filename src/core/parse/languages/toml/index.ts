import { defineLanguage } from "../../language.ts";

export const toml = defineLanguage({
  id: "toml",
  name: "TOML",
  extensions: ["toml"],
  fileNames: ["pipfile", "poetry.lock.toml"],
  isDocument: true,
  patterns: {
    extent: "next",
    comment: /^\s*#/,
    // A table ends where the next one begins; keys before the first table stand alone.
    definitions: [
      { kind: "key", match: /^\s*\[{1,2}\s*(?<name>[^\]]+?)\s*\]{1,2}/ },
      { kind: "key", match: /^(?<name>[\w."-]+)\s*=/, within: [], extent: "line" },
    ],
  },
});
