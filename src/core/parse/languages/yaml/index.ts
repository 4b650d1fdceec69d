import { defineLanguage } from "../../language.ts";

export const yaml = defineLanguage({
  id: "yaml",
  name: "YAML",
  extensions: ["yaml", "yml"],
  isDocument: true,
  patterns: {
    extent: "indent",
    comment: /^\s*#/,
    definitions: [{ kind: "key", match: /^["']?(?<name>[\w$./-][^:#"'{}[\]]{0,100}?)["']?\s*:(?:\s|$)/ }],
  },
});
