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
    block: { start: /^\s*(?:"""|#=)/, end: /"""\s*(?:#.*)?$|=#\s*$/ },
    text: { start: /^[^"#]*\S[^"#]*"""(?!.*""")/, end: /"""/ },
    between: /^\s*@(?!\w*\s+(?:function|struct)\b)\w+\s*$/,
    definitions: [
      { kind: "module", match: /^\s*(?:bare)?module\s+(?<name>\w+)/, isHolder: true, extent: /^end\b/ },
      {
        kind: "function",
        match:
          /^\s*(?:(?:\w+\.)*@\w+\s+)*function\s+(?:[\w.]+\.)?\(?(?<name>[^\s({]+?)\)?\s*(?:[({]|$|end\s*$)/,
      },
      { kind: "macro", match: /^\s*macro\s+(?<name>\w+!?)/ },
      { kind: "struct", match: /^\s*(?:@\w+\s+)*(?:mutable\s+)?struct\s+(?<name>[^\s{<(]+)/ },
      { kind: "type", match: /^\s*(?:abstract|primitive)\s+type\s+(?<name>\w+)/, extent: "line" },
      { kind: "const", match: /^\s*const\s+(?<name>[^\s=(:]+)/, extent: "line" },
      {
        kind: "function",
        match:
          /^(?:(?:\w+\.)*@\w+\s+)*(?:[\w.]+\.)?(?<name>[\w!]+)(?:\{[^}]*\})?\(.*\)(?:\s*::\s*[\w{}., ]+)?(?:\s+where\s+[^=]+)?\s*=(?![=>])/,
      },
      // Parameters over several lines: a call at the top of a file names no types.
      {
        kind: "function",
        match:
          /^(?:(?:\w+\.)*@\w+\s+)*(?:[\w.]+\.)?(?<name>[\w!]+)(?:\{[^}]*\})?\((?=[^"]*::)[^=]*(?:=[^=]*)*[,;]\s*$/,
      },
    ],
  },
});
