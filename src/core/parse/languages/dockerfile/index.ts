import { defineLanguage } from "../../language.ts";

export const dockerfile = defineLanguage({
  id: "dockerfile",
  name: "Dockerfile",
  extensions: ["dockerfile", "containerfile"],
  fileNames: ["dockerfile", "containerfile"],
  patterns: {
    extent: "next",
    comment: /^\s*#/,
    definitions: [
      {
        kind: "target",
        match: /^from\s+\S+(?:\s+\S+)*?\s+as\s+(?<name>[\w.-]+)/i,
        isHolder: true,
        exported: () => false,
      },
      { kind: "target", match: /^from\s+(?:--\S+\s+)*(?<name>\S+)/i, isHolder: true, exported: () => false },
      { kind: "var", match: /^(?:arg|env)\s+(?<name>\w+)/i, extent: "line", exported: () => false },
    ],
  },
});
