import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { nodeRules } from "../../node-rules.ts";
import type { Declaration, Holder, Place } from "../../rules.ts";

const KINDS: Readonly<Record<string, string>> = { variable: "var", output: "var", module: "module" };

export const hcl = defineLanguage({
  id: "hcl",
  name: "Terraform",
  extensions: ["tf", "hcl", "tfvars", "nomad", "tofu"],
  grammar: "@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm",
  rules: nodeRules({
    comments: ["comment"],
    commentStarts: /#|\/[/*]/,
    holders: ["body"],
    declarations: { block, attribute },
  }),
});

const bodyOf = (node: Node) => node.namedChildren.find(({ type }) => type === "body");

/** `resource "aws_s3_bucket" "logs" {` is known as `aws_s3_bucket.logs`. */
function block(node: Node, place: Place): readonly Declaration[] | Holder | undefined {
  if (place.parent !== undefined) return undefined;
  const [word, ...labels] = node.namedChildren
    .filter(({ type }) => type === "identifier" || type === "string_lit")
    .map(labelOf);
  if (word === undefined) return undefined;
  if (word === "locals") return { inside: bodyOf(node)?.children ?? [] };
  const body = node.children.find(({ type }) => type === "block_start") ?? null;
  return [{ name: labels.join(".") || word, kind: KINDS[word] ?? "resource", exported: true, body }];
}

const labelOf = (node: Node) => node.text.replace(/^"|"$/g, "");

function attribute(node: Node): readonly Declaration[] {
  const isLong = node.endIndex - node.startIndex > 80;
  return [
    {
      name: node.namedChild(0)?.text ?? "",
      kind: "const",
      exported: true,
      body: isLong ? node.namedChild(1) : null,
    },
  ];
}
