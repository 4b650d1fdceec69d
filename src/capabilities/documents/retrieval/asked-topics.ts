import { resolve } from "node:path";
import type { Config } from "../../../core/config/config.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Filter } from "../../../core/search/index.ts";
import { configuredLabels } from "../connectors/open-connectors.ts";
import type { DocumentQuery } from "../schemas.ts";
import { HISTORY, isOnDemand, packageTopic, TOPIC } from "../topics.ts";

/** Asks what happened, not how something is done now. */
const ASKS_FOR_HISTORY =
  /\b(why|who|commits?|committed|history|removed|deleted|dropped|reverted|introduced|renamed|replaced|changed|regressions?|when (?:was|were|did|has|have))\b/i;

export interface AskedTopics {
  /** Sources on demand that this question needs, and what it needs of them. */
  readonly labels: readonly string[];
  readonly topics: readonly string[];
  readonly filters: readonly Filter[];
  /** Packages that the question names and that are not installed: no document can tell about them. */
  readonly missing: readonly string[];
}

/** The topics that a question asks for. A question to one source asks for all of it. */
export async function askedTopics(
  { query, filters }: DocumentQuery,
  config: Config,
  machine: Pick<Machine, "root" | "env">,
): Promise<AskedTopics> {
  const onDemand = configuredLabels(config).filter(isOnDemand);
  const { packages, missing } = await packagesAskedFor(query, config, machine);
  const { source } = filters ?? {};
  if (source != null) {
    return {
      labels: onDemand.filter((label) => label === source),
      topics: packages.map(packageTopic),
      filters: [],
      missing,
    };
  }
  const topics = new Set(packages.map(packageTopic));
  if (ASKS_FOR_HISTORY.test(query)) topics.add(HISTORY);
  const isAsked = (label: string) =>
    label.startsWith("commits:") ? topics.has(HISTORY) : packages.length > 0;
  return {
    labels: onDemand.filter(isAsked),
    topics: [...topics],
    filters: [{ attribute: TOPIC, where: (topic) => topic === undefined || topics.has(String(topic)) }],
    missing,
  };
}

async function packagesAskedFor(
  query: string,
  { connectors }: Config,
  { root, env }: Pick<Machine, "root" | "env">,
): Promise<{ packages: readonly string[]; missing: readonly string[] }> {
  const roots = Object.values(connectors.packages).map((section) => resolve(root, section.root));
  if (roots.length === 0) return { packages: [], missing: [] };
  const { dependenciesOf } = await import("../connectors/packages/packages.ts");
  const { isInstalled, packagesNamedIn } = await import("../connectors/packages/dependency.ts");
  const found = (await Promise.all(roots.map((directory) => dependenciesOf(directory, env)))).flat();
  const packages = packagesNamedIn(
    query,
    found.map(({ name }) => name),
  );
  const named = found.filter(({ name }) => packages.includes(name));
  return { packages, missing: named.filter((each) => !isInstalled(each)).map(({ name }) => name) };
}
