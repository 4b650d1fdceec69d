import type { Filter } from "../../../core/search/index.ts";
import type { Filters } from "../schemas.ts";
import { filePattern } from "./file-pattern.ts";

/** As the contract has them; people may name kinds that it does not. */
export type Conditions = Omit<Filters, "symbol_types"> & {
  readonly symbol_types?: readonly string[] | undefined;
};

/** What the contract's kinds mean in languages that have others. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  struct: ["struct", "class"],
  type: ["type", "enum"],
};

/** The conditions of a search as the search index takes them; a least relevance is none of them. */
export function conditionsOf(conditions: Conditions): readonly Filter[] {
  const { symbol_types: types, ddd_patterns: patterns, packages, file_pattern: pattern } = conditions;
  const filters: Filter[] = [];
  const among = (attribute: string, anyOf: readonly string[] = []) => {
    // Clients send an empty list where they mean none.
    if (anyOf.length > 0) filters.push({ attribute, anyOf });
  };
  among(
    "kind",
    types?.flatMap((type) => KINDS[type] ?? [type]),
  );
  among("ddd", patterns);
  among("package", packages);
  if (pattern !== undefined) {
    const matches = filePattern(pattern);
    filters.push({ attribute: "path", where: (path) => typeof path === "string" && matches(path) });
  }
  return filters;
}
