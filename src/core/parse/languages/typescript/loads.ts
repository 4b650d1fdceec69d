import type { Node } from "web-tree-sitter";

const LOAD = /(?<![\w$.#])(?:require|import)\(\s*(?:\/\*[^*]*\*\/\s*)?(["'`])([^"'`\n\\$]+)\1\s*[,)]/g;
/** What is loaded only when somebody calls. */
const LATER = new Set([
  "function_declaration",
  "function_expression",
  "generator_function_declaration",
  "generator_function",
  "method_definition",
  "class_body",
]);
/** A chain of a thousand calls is a tree a thousand deep. */
const MAX_DEPTH = 64;

/** The modules that `require("…")` and `import("…")` load as a file runs, wherever in its statements they stand. */
export function loadedBy(nodes: readonly Node[], text: string): readonly string[] {
  if (!text.includes("require(") && !text.includes("import(")) return [];
  const calls = [...text.matchAll(LOAD)].map(({ index, 2: module = "" }) => ({ index, module }));
  const loaded: string[] = [];
  let next = 0;
  // Only nodes that hold a call are opened, each of them once: both run in the order of the text.
  const read = (node: Node, depth: number): void => {
    while ((calls[next]?.index ?? Infinity) < node.startIndex) next += 1;
    const call = calls[next];
    if (call === undefined || call.index >= node.endIndex || depth > MAX_DEPTH || isLater(node)) return;
    if (call.index === node.startIndex && isLoad(node)) loaded.push(call.module);
    for (const child of node.namedChildren) read(child, depth + 1);
  };
  for (const node of nodes) read(node, 0);
  // A declaration file names a module as often as it needs a type of it.
  return [...new Set(loaded)];
}

/** `() => import("./page")` only names what it loads; a function with statements does more. */
const isLater = (node: Node) =>
  LATER.has(node.type) ||
  (node.type === "arrow_function" && node.childForFieldName("body")?.type === "statement_block");

/** `require("a")`, but not the calls around it that start with it, as `require("a")(b)`. */
const isLoad = (node: Node) =>
  node.type === "call_expression" &&
  /^(?:identifier|import)$/.test(node.childForFieldName("function")?.type ?? "");
