import type { Node, Query } from "web-tree-sitter";
import type { ParsedFile } from "../parse.ts";
import { genericPatterns, genericRules, withoutDefinitions } from "./generic.ts";
import { readReferences } from "./read-references.ts";
import type { FileReferences, ReferenceRules } from "./references.ts";

interface ReferenceGrammar {
  compile(query: string): Query;
  readonly types: readonly string[];
}
type ReadTree = (root: Node, text: string, file: ParsedFile) => FileReferences;

/** Reads the references of one language; a language without rules of its own gets those that fit most. */
export function referenceReader(grammar: ReferenceGrammar, rules: ReferenceRules | undefined): ReadTree {
  if (rules) {
    const query = grammar.compile(rules.patterns.join("\n"));
    return (root, text) => readReferences({ query, rules }, root, text);
  }
  const isKnown = (pattern: string) => {
    try {
      grammar.compile(pattern).delete();
      return true;
    } catch {
      return false;
    }
  };
  const query = grammar.compile(genericPatterns(grammar.types).filter(isKnown).join("\n"));
  return (root, text, file) =>
    withoutDefinitions(readReferences({ query, rules: genericRules }, root, text), file);
}
