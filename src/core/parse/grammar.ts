import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";
import { once } from "../lazy.ts";

/** Some texts make error recovery crawl; such a file is given up, not waited for. */
const TIME_LIMIT_MS = 5_000;

type Parse = <T>(text: string, read: (root: Node) => T) => T | undefined;

/** A parser for one grammar. The tree lives in WebAssembly memory and is freed when `read` returns. */
export async function openGrammar(name: string): Promise<Parse> {
  await ready();
  const resolve = createRequire(import.meta.url).resolve;
  const wasm = await readFile(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`));
  const parser = new Parser().setLanguage(await Language.load(wasm));
  return (text, read) => {
    const until = performance.now() + TIME_LIMIT_MS;
    const tree = parser.parse(asSlices(text), null, { progressCallback: () => performance.now() > until });
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    try {
      return read(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

const ready = once(() => Parser.init());

/** The parser copies 5,119 code units at a time; a longer slice is only scanned for nothing. */
const SLICE = 5_119;
const asSlices = (text: string) => (index: number) => text.slice(index, index + SLICE);
