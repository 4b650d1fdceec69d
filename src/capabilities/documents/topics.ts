import type { Config } from "../../core/config/config.ts";
import type { Filter } from "../../core/search/index.ts";
import { configuredLabels } from "./connectors/open-connectors.ts";
import type { DocumentQuery } from "./schemas.ts";

/** The attribute of documents that are found only if the question asks for their topic: there are many, and few questions need them. */
export const TOPIC = "topic";
const HISTORY = "history";
/** Asks what happened, not how something is done now. */
const ASKS_FOR_HISTORY =
  /\b(why|who|commits?|committed|history|removed|deleted|dropped|reverted|introduced|renamed|replaced|changed|regressions?|when (?:was|were|did|has|have))\b/i;

/** `undefined`: always searched. */
export const topicOf = (source: string): string | undefined =>
  source.startsWith("commits:") ? HISTORY : undefined;

export interface AskedTopics {
  /** Sources that this question needs, and that nobody syncs otherwise. */
  readonly labels: readonly string[];
  readonly filters: readonly Filter[];
}

export const isOnDemand = (label: string): boolean => topicOf(label) !== undefined;

/** The topics that a question asks for. A question to one source asks for all of it. */
export function askedTopics({ query, filters }: DocumentQuery, config: Config): AskedTopics {
  const onDemand = configuredLabels(config).filter(isOnDemand);
  const { source } = filters ?? {};
  if (source != null) return { labels: onDemand.filter((label) => label === source), filters: [] };
  const topics = new Set(ASKS_FOR_HISTORY.test(query) ? [HISTORY] : []);
  const isAsked = (topic: unknown) => topic === undefined || (typeof topic === "string" && topics.has(topic));
  return {
    labels: onDemand.filter((label) => isAsked(topicOf(label))),
    filters: [{ attribute: TOPIC, where: isAsked }],
  };
}
