export const DDD_PATTERNS = [
  "aggregate",
  "entity",
  "value_object",
  "repository",
  "service",
  "command",
  "query",
  "handler",
] as const;
export type DddPattern = (typeof DDD_PATTERNS)[number];

/** Only the name of a type says something about its role in the design. */
const TYPE_KINDS = new Set(["struct", "interface", "type", "class", "enum"]);
const DOMAIN_WORD = /Order|User|Product|Account|Customer|Item/;
const RULES: readonly (readonly [DddPattern, (name: string) => boolean])[] = [
  ["aggregate", (name) => /Aggregate(?:Root)?$/.test(name)],
  ["entity", isEntity],
  ["value_object", (name) => /(?:VO|ValueObject)$/.test(name)],
  ["repository", (name) => /(?:Repository|Repo)$/.test(name)],
  ["service", (name) => name.endsWith("Service")],
  ["command", (name) => /(?:Command|Cmd)$/.test(name)],
  ["query", (name) => name.endsWith("Query")],
  ["handler", (name) => name.endsWith("Handler")],
];

/** The patterns of domain-driven design that a type's name matches, in the order of `DDD_PATTERNS`. */
export function dddPatterns(name: string, kind: string): readonly DddPattern[] {
  if (!TYPE_KINDS.has(kind)) return [];
  return RULES.filter(([, matches]) => matches(name)).map(([pattern]) => pattern);
}

function isEntity(name: string): boolean {
  if (/(?:Aggregate(?:Root)?|Entity)$/.test(name)) return true;
  return DOMAIN_WORD.test(name) && !/(?:Service|Repository|Handler)$/.test(name);
}
