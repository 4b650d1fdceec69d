import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import { C_TABLE, withoutMacros } from "./declarations.ts";

export const c = defineLanguage({
  id: "c",
  name: "C",
  extensions: ["c", "h"],
  grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm",
  parameters: ["parameter_declaration declarator:", "parameter_declaration ."],
  // Headers of both languages have the same extension.
  delegate: { to: ["cpp"], find: (text) => (isCpp(text) ? { language: "cpp", text } : undefined) },
  rules: { ...nodeRules(C_TABLE), prepare: withoutMacros },
});

const CPP_LINE =
  /^[ \t]*(?:class[ \t]+\w+[^;()]*$|namespace\b|template[ \t]*<|using[ \t]+(?:namespace\b|\w+[ \t]*=)|(?:public|private|protected)[ \t]*:|(?:constexpr|virtual|explicit)\b|#[ \t]*include[ \t]*<[a-z_]+>)/m;

/** What only C++ has, at the start of a line; most headers guard `extern "C"` only. */
const isCpp = (text: string) => CPP_LINE.test(text);
