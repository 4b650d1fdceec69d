import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Declaration } from "../../rules.ts";

export const bash = defineLanguage({
  id: "bash",
  name: "Shell",
  extensions: ["sh", "bash", "zsh", "ksh", "bats", "ash", "dash"],
  fileNames: [".bashrc", ".bash_profile", ".bash_aliases", ".zshrc", ".zprofile", ".profile", "pkgbuild"],
  interpreters: ["sh", "bash", "zsh", "ksh", "dash", "ash", "bats"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm",
  rules: nodeRules({
    comments: ["comment"],
    recovery: {
      extent: "brackets",
      comment: /^\s*#/,
      definitions: [{ kind: "function", match: /^\s*(?:function\s+)?(?<name>[\w:.@-]+)\s*\(\s*\)/ }],
    },
    commentStarts: /#/,
    holders: [
      "if_statement",
      "else_clause",
      "elif_clause",
      "case_statement",
      "case_item",
      "list",
      "compound_statement",
      "subshell",
      "redirected_statement",
    ],
    facts: { command: sourced },
    declarations: {
      function_definition: { kind: "function", name: (node) => node.childForFieldName("name")?.text },
      declaration_command: (node) => node.namedChildren.flatMap((child) => assigned(child, true, node)),
      variable_assignment: (node) => assigned(node, false, node),
    },
  }),
});

/** Constants by habit and by declaration; others come and go. */
function assigned(node: Node, isDeclared: boolean, statement: Node): readonly Declaration[] {
  const name = node.type === "variable_assignment" ? node.childForFieldName("name") : null;
  if (name?.type !== "variable_name" || (!isDeclared && !/^[A-Z][A-Z0-9_]+$/.test(name.text))) return [];
  const isReadOnly =
    isDeclared && /^(?:readonly|(?:declare|typeset)\s+-\w*r)/.test(statement.text.slice(0, 40));
  const isLong = node.endIndex - node.startIndex > 80;
  return [
    {
      name: name.text,
      kind: isReadOnly ? "const" : "var",
      exported: true,
      body: isLong ? node.childForFieldName("value") : null,
    },
  ];
}

/** `source file` and `. file`. */
function sourced(node: Node) {
  const name = node.childForFieldName("name")?.text;
  if (name !== "source" && name !== ".") return undefined;
  return { imports: [node.childForFieldName("argument")?.text.replace(/^["']|["']$/g, "") ?? ""] };
}
