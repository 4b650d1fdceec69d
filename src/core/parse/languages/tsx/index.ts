import { defineLanguage } from "../../language.ts";
import { typescriptRules } from "../typescript/rules.ts";

export const tsx = defineLanguage({
  id: "tsx",
  name: "TSX",
  extensions: ["tsx"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
  rules: typescriptRules,
});
