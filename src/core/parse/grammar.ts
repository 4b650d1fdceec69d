import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Language as Grammar, type Node, Parser, Query } from "web-tree-sitter";
import { once } from "../lazy.ts";

/** Some texts make error recovery crawl; such a file is given up, not waited for. */
const TIME_LIMIT_MS = 5_000;

interface OpenGrammar {
  /** The tree lives in WebAssembly memory and is freed when `read` returns. */
  parse<T>(text: string, read: (root: Node) => T): T | undefined;
  compile(query: string): Query;
  /** The types of all named nodes. */
  readonly types: readonly string[];
}

/** A parser for one grammar. */
export async function openGrammar(file: string): Promise<OpenGrammar> {
  await ready();
  const grammar = await Grammar.load(await grammarBytes(file));
  const parser = new Parser().setLanguage(grammar);
  const parse: OpenGrammar["parse"] = (text, read) => {
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
  return {
    parse,
    compile: (query) => new Query(grammar, query),
    types: grammar.types.filter((_type, id) => grammar.nodeTypeIsNamed(id)),
  };
}

/** The build puts the grammars beside the program, compressed; in the sources they come from their packages. */
async function grammarBytes(file: string): Promise<Uint8Array> {
  const packed = new URL(`./grammars/${basename(file)}.br`, import.meta.url);
  if (existsSync(packed)) return brotliDecompressSync(await readFile(packed));
  return readFile(createRequire(import.meta.url).resolve(file));
}

const ready = once(() => Parser.init());

/** The parser copies 5,119 code units at a time; a longer slice is only scanned for nothing. */
const SLICE = 5_119;
const asSlices = (text: string) => (index: number) => text.slice(index, index + SLICE);
