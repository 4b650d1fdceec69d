import { defineLanguage } from "../../language.ts";

export const ocaml = defineLanguage({
  id: "ocaml",
  name: "OCaml",
  extensions: ["ml", "mli"],
  interpreters: ["ocaml"],
  patterns: {
    extent: "indent",
    closes: /^\s*(?:end|\}|\]|\))/,
    block: { start: /^\s*\(\*/, end: /\*\)\s*$/ },
    definitions: [
      {
        kind: "module",
        match: /^\s*module\s+(?:rec\s+|type\s+(?:of\s+)?)?(?<name>[A-Z][\w']*)/,
        isHolder: true,
      },
      {
        kind: "class",
        match: /^\s*class\s+(?:virtual\s+|type\s+)?(?:\[[^\]]*\]\s+)?(?<name>\w+)/,
        isHolder: true,
      },
      {
        kind: "type",
        match:
          /^\s*type\s+(?:nonrec\s+)?(?:\([^)]*\)\s+|[+\-']*'?\w+\s+(?=\w+\s*(?:=|$)))?(?<name>[a-z_][\w']*)/,
      },
      { kind: "type", match: /^\s*exception\s+(?<name>[A-Z]\w*)/, extent: "line" },
      {
        kind: "function",
        within: ["module", "class"],
        match:
          /^\s*(?:let|and|external|val)(?:%\w+)?\s+(?:rec\s+|inline\s+)?\(?\s*(?<name>[a-z_][\w']*|[!$%&*+\-./:<=>?@^|~]+)/,
      },
      { kind: "method", match: /^\s*method\s+(?:private\s+|virtual\s+|!\s*)*(?<name>\w+)/ },
    ],
  },
});
