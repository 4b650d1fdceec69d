import { defineLanguage } from "../../language.ts";
import { typescriptModules } from "../typescript/modules.ts";
import { tsxReferences } from "../typescript/references.ts";
import { typescriptRules } from "../typescript/rules.ts";

export const tsx = defineLanguage({
  id: "tsx",
  name: "TSX",
  extensions: ["tsx"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
  rules: typescriptRules,
  references: tsxReferences,
  modules: typescriptModules,
});
