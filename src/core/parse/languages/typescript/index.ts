import { defineLanguage } from "../../language.ts";
import { typescriptModules } from "./modules.ts";
import { typescriptReferences } from "./references.ts";
import { typescriptRules } from "./rules.ts";

export const typescript = defineLanguage({
  id: "typescript",
  name: "TypeScript",
  extensions: ["ts", "mts", "cts"],
  interpreters: ["ts-node", "tsx", "deno", "bun"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm",
  rules: typescriptRules,
  references: typescriptReferences,
  modules: typescriptModules,
});
