import { defineLanguage } from "../../language.ts";

export const json = defineLanguage({
  id: "json",
  name: "JSON",
  extensions: ["json", "jsonc", "json5", "webmanifest"],
  isDocument: true,
  patterns: {
    extent: "brackets",
    comment: /^\s*\/\//,
    // Formatted JSON has its top-level keys on lines of their own.
    definitions: [{ kind: "key", match: /^(?:\t| {2,4})"(?<name>[^"]{1,200})"\s*:/, within: [] }],
  },
});
