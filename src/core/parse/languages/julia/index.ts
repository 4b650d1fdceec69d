import { defineLanguage } from "../../language.ts";

export const julia = defineLanguage({
  id: "julia",
  name: "Julia",
  extensions: ["jl"],
  interpreters: ["julia"],
  patterns: {
    extent: "indent",
    closes: /^\s*end\b/,
    comment: /^\s*#/,
    block: { start: /^\s*(?:"""|#=)/, end: /"""\s*$|=#\s*$/ },
    between: /^\s*@(?!\w*\s+(?:function|struct)\b)\w+\s*$/,
    definitions: [
      { kind: "module", match: /^\s*(?:bare)?module\s+(?<name>\w+)/, isHolder: true, extent: /^end\b/ },
      {
        kind: "function",
        match: /^\s*(?:@\w+\s+)*function\s+(?:[\w.]+\.)?\(?(?<name>[^\s({]+?)\)?\s*(?:[({]|$)/,
      },
      { kind: "macro", match: /^\s*macro\s+(?<name>\w+!?)/ },
      { kind: "struct", match: /^\s*(?:@\w+\s+)*(?:mutable\s+)?struct\s+(?<name>\w+)/ },
      { kind: "type", match: /^\s*(?:abstract|primitive)\s+type\s+(?<name>\w+)/, extent: "line" },
      { kind: "const", match: /^\s*const\s+(?<name>\w+)/, extent: "line" },
      {
        kind: "function",
        match:
          /^(?:@\w+\s+)*(?:[\w.]+\.)?(?<name>[\w!]+)(?:\{[^}]*\})?\([^=]*\)(?:\s*::\s*[\w{}., ]+)?(?:\s+where\s+[^=]+)?\s*=(?!=)/,
        extent: "line",
      },
    ],
  },
});
