import type { Node, Query } from "web-tree-sitter";
import type { ParsedFile } from "../parse.ts";
import { genericPatterns, genericRules, withoutDefinitions } from "./generic.ts";
import { readReferences } from "./read-references.ts";
import type { FileReferences, ReferenceRules } from "./references.ts";

interface ReferenceGrammar {
  compile(query: string): Query;
  readonly types: readonly string[];
}
/** See `Language`. */
export interface ReferenceSource {
  readonly references?: ReferenceRules;
  readonly parameters?: readonly string[];
}
type ReadTree = (root: Node, text: string, file: ParsedFile) => FileReferences;

/** Reads the references of one language; a language without rules of its own gets those that fit most. */
export function referenceReader(
  grammar: ReferenceGrammar,
  { references: rules, parameters = [] }: ReferenceSource,
): ReadTree {
  if (rules) {
    const query = grammar.compile(rules.patterns.join("\n"));
    return (root, text) => readReferences({ query, rules }, root, text);
  }
  // One query: each takes milliseconds to compile, mostly to look through all states of the grammar.
  const query = grammar.compile(genericPatterns(grammar.types, parameters).join("\n"));
  return (root, text, file) =>
    withoutDefinitions(readReferences({ query, rules: genericRules }, root, text), file);
}
