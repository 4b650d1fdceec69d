import { defineLanguage } from "../../language.ts";
import { typescriptModules } from "../typescript/modules.ts";
import { javascriptReferences } from "../typescript/references.ts";
import { typescriptRules } from "../typescript/rules.ts";

export const javascript = defineLanguage({
  id: "javascript",
  name: "JavaScript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  interpreters: ["node", "nodejs"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm",
  rules: typescriptRules,
  references: javascriptReferences,
  modules: typescriptModules,
});
