import type { Filter } from "../../core/search/index.ts";

/** The attribute of documents that are found only if the question asks for their topic: there are many, and few questions need them. */
export const TOPIC = "topic";
/** Leaves all such documents out. */
export const NO_TOPIC: Filter = { attribute: TOPIC, where: (topic) => topic === undefined };
export const HISTORY = "history";
export const packageTopic = (name: string): string => `package ${name}`;

/** The history, or a package; `undefined`: always searched. */
export function topicOf(source: string, sourceId: string): string | undefined {
  if (source.startsWith("commits:")) return HISTORY;
  // `@scope/name@1.2.3/README.md`: the version begins after the first character.
  return source.startsWith("packages:")
    ? packageTopic(sourceId.slice(0, sourceId.indexOf("@", 1)))
    : undefined;
}

/** Sources that are read when a question first asks for them. */
export const isOnDemand = (label: string): boolean => /^(?:commits|packages):/.test(label);
