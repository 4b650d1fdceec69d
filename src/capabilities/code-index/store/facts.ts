import { z } from "zod";
import type { IndexRequest } from "../index-request.ts";
import type { Candidate } from "../scan/discover.ts";
import { moduleFacts } from "../scan/module-facts.ts";
import type { CodeStore } from "./code-store.ts";
import { INDEX_FORMAT } from "./tables.ts";

/** What an index says about itself, beside its files. */
export type Facts = Readonly<Record<string, string>>;
const FactRow = z.object({ name: z.string(), value: z.string() });

export function readFacts({ store }: CodeStore): Facts {
  const rows = z.array(FactRow).parse(store.prepare("SELECT name, value FROM facts").all());
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export function writeFacts({ store }: CodeStore, facts: Facts): void {
  const statement = store.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)");
  for (const [name, value] of Object.entries(facts)) statement.run(name, value);
}

export const hasFacts = (known: Facts, facts: Facts): boolean =>
  Object.entries(facts).every(([name, value]) => known[name] === value);

/** Facts about the request: an index made for another one is not up to date. */
export const factsOfRequest = ({ includeTests, includeVendor }: IndexRequest): Facts => ({
  format: INDEX_FORMAT,
  include_tests: String(includeTests),
  include_vendor: String(includeVendor),
});

/** Facts about the project as a run found it. */
export function factsOfProject(root: string, candidates: readonly Candidate[]): Facts {
  const { moduleName, goVersion } = moduleFacts(root);
  return {
    root,
    module_name: moduleName,
    go_version: goVersion,
    source_files: String(candidates.filter(({ language }) => language !== undefined).length),
  };
}
