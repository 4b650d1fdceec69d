import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Declaration } from "../../rules.ts";
import { oneLine } from "../../signature.ts";

const blockOf = (node: Node) => node.namedChildren.find(({ type }) => /block(?:_list)?$/.test(type)) ?? null;

/** A style sheet exports nothing that code could import by name. */
const rule = (node: Node, name: string): readonly Declaration[] => [
  {
    name: name.length > 120 ? `${name.slice(0, 119)}…` : name,
    kind: "rule",
    exported: false,
    body: blockOf(node),
    members: blockOf(node),
  },
];

export const css = defineLanguage({
  id: "css",
  name: "CSS",
  extensions: ["css", "scss", "less", "pcss"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-css.wasm",
  rules: nodeRules({
    comments: ["comment", "js_comment"],
    commentStarts: /\/[/*]/,
    holders: ["block"],
    facts: { import_statement: (node) => ({ imports: [/["']([^"']+)["']/.exec(node.text)?.[1] ?? ""] }) },
    declarations: {
      rule_set: (node) => rule(node, oneLine(node.namedChild(0)?.text ?? "")),
      keyframes_statement: (node) => rule(node, oneLine(`@keyframes ${node.namedChild(0)?.text ?? ""}`)),
      media_statement: (node) => ({ inside: blockOf(node)?.children ?? [] }),
      supports_statement: (node) => ({ inside: blockOf(node)?.children ?? [] }),
      at_rule: (node) => ({ inside: blockOf(node)?.children ?? [] }),
      declaration: customProperty,
    },
  }),
});

function customProperty(node: Node): readonly Declaration[] | undefined {
  const name = node.namedChild(0)?.text ?? "";
  return name.startsWith("--") ? [{ name, kind: "var", exported: false }] : undefined;
}
