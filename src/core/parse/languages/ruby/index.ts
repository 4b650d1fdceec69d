import type { Node } from "web-tree-sitter";
import { defineLanguage } from "../../language.ts";
import { longValue, nodeRules } from "../../node-rules.ts";
import type { Declaration, FileFact, Holder, Place } from "../../rules.ts";

export const ruby = defineLanguage({
  id: "ruby",
  name: "Ruby",
  extensions: ["rb", "rake", "gemspec", "ru", "rbw", "podspec", "jbuilder"],
  fileNames: [
    "rakefile",
    "gemfile",
    "guardfile",
    "capfile",
    "vagrantfile",
    "podfile",
    "fastfile",
    "brewfile",
  ],
  interpreters: ["ruby", "jruby", "rake"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm",
  parameters: [
    "method_parameters .",
    "block_parameters .",
    "splat_parameter name:",
    "splat_parameter .",
    "hash_splat_parameter name:",
    "hash_splat_parameter .",
    "block_parameter name:",
    "block_parameter .",
    "keyword_parameter name:",
    "keyword_parameter .",
    "optional_parameter name:",
    "optional_parameter .",
    "destructured_parameter .",
    "lambda_parameters .",
  ],
  rules: nodeRules({
    comments: ["comment"],
    commentStarts: /#/,
    docText: rubyDoc,
    holders: [
      "body_statement",
      "begin",
      "if",
      "unless",
      "else",
      "elsif",
      "then",
      "if_modifier",
      "unless_modifier",
    ],
    facts: { call: required },
    declarations: {
      class: { kind: "class", name: constantName, parent: scopeOf, members: true },
      module: { kind: "module", name: constantName, parent: scopeOf, members: true },
      singleton_class: (node) => ({ inside: node.children }),
      method: {
        kind: (_node, place) => (place.parent === undefined ? "function" : "method"),
        body: methodBody,
      },
      singleton_method: { kind: "method", body: methodBody, parent: receiver },
      alias: { kind: "method", name: (node) => node.childForFieldName("name")?.text.replace(/^:/, "") },
      assignment: constant,
      call: declaringCall,
    },
  }),
});

function constantName(node: Node) {
  const name = node.childForFieldName("name");
  return (name?.childForFieldName("name") ?? name)?.text;
}
function scopeOf(node: Node) {
  return node.childForFieldName("name")?.childForFieldName("scope")?.text;
}

/** `def self.a` belongs to what it stands in, `def A.a` to `A`. */
function receiver(node: Node, place: Place) {
  const object = node.childForFieldName("object")?.text;
  return object === "self" ? place.parent : object;
}

/** An empty body is no node: the head then ends with the parameters. */
function methodBody(node: Node): Node | null {
  const body = node.childForFieldName("body");
  if (body) return body;
  const head = node.childForFieldName("parameters") ?? node.childForFieldName("name");
  return head && (node.children.find((child) => child.startIndex >= head.endIndex) ?? null);
}

function required(node: Node, place: Place): FileFact | undefined {
  const method = place.parent === undefined ? node.childForFieldName("method")?.text : undefined;
  if (method !== "require" && method !== "require_relative") return undefined;
  const path =
    node
      .childForFieldName("arguments")
      ?.namedChild(0)
      ?.text.replace(/^["']|["']$/g, "") ?? "";
  return { imports: [method === "require" ? path : `./${path.replace(/^\.\//, "")}`] };
}

/** `A = 1`, and `A = Struct.new(:b) do … end`, which is a class. */
function constant(node: Node): readonly Declaration[] | Holder | undefined {
  const left = node.childForFieldName("left");
  const right = node.childForFieldName("right");
  const block = right?.childForFieldName("block") ?? null;
  if (left?.type !== "constant") return block ? { inside: block.children } : undefined;
  const isClass = /^(?:Struct|Data|Class|Module)\.(?:new|define)\b/.test(right?.text.slice(0, 20) ?? "");
  const members = isClass ? (block?.childForFieldName("body") ?? null) : null;
  const name = left.text;
  if (isClass) return [{ name, kind: "class", exported: true, body: block, members }];
  return [{ name, kind: "const", exported: true, body: longValue("right")(node) }];
}

const ATTRIBUTES =
  /^(?:attr_reader|attr_writer|attr_accessor|attr|mattr_accessor|cattr_accessor|mattr_reader|class_attribute|thread_mattr_accessor)$/;

/** What is declared by calls: `attr_reader :a`, `define_method(:a)`, `alias_method :a, :b`, `private def a`. */
function declaringCall(node: Node, place: Place): readonly Declaration[] | Holder | undefined {
  const method = node.childForFieldName("method")?.text ?? "";
  const values = node.childForFieldName("arguments")?.namedChildren ?? [];
  const inner = values.find(({ type }) => type === "method" || type === "singleton_method");
  if (inner) return { inside: [inner] };
  const block = node.childForFieldName("block");
  if (block?.type === "do_block" && method !== "define_method") return { inside: block.children };
  const symbols = values.filter(({ type }) => type === "simple_symbol").map(({ text }) => text.slice(1));
  if (method === "define_method" || method === "alias_method")
    return symbols.slice(0, 1).map((name) => ({ name, kind: "method", exported: true, body: block }));
  if (place.parent === undefined || !ATTRIBUTES.test(method)) return undefined;
  return symbols.map((name) => ({ name, kind: "field", exported: true }));
}

/** Without directives to tools, such as `# frozen_string_literal: true` and `:nodoc:`. */
function rubyDoc(comments: readonly string[]): string {
  const lines = comments.flatMap((comment) => comment.replace(/^=begin.*|^=end.*/gm, "").split("\n"));
  return lines
    .map((line) => line.replace(/^\s*#+ ?/, "").trimEnd())
    .filter((line) => !/^\s*(?:frozen_string_literal:|rubocop:|:nodoc:|-\*-|typed:)/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}
