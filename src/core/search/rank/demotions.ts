import type { PathKind } from "../../files/path-kinds.ts";
import type { RankStep } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

/** Tests, documents, data and copies stand behind the source, unless the question asks for them. */
export function demotionsOf(
  kinds: readonly PathKind[],
  asksFor: ReadonlySet<PathKind>,
  weights: RankWeights,
): RankStep[] {
  if (kinds.length === 0) return [];
  const others = kinds.filter((kind) => kind !== "test");
  // A file of several such kinds is no further from the source.
  const other = others.find((kind) => !asksFor.has(kind)) ?? others[0];
  const factorOf = (kind: PathKind, factor: number) => (asksFor.has(kind) ? weights.askedKind : factor);
  return [
    ...(kinds.includes("test") ? [{ step: "test", factor: factorOf("test", weights.test) }] : []),
    ...(other ? [{ step: other, factor: factorOf(other, weights.notSource) }] : []),
  ];
}

interface AskedKind {
  readonly kind: PathKind;
  readonly pattern: RegExp;
}

const ASKED: readonly AskedKind[] = [
  {
    kind: "test",
    pattern:
      /\b(?:tests?|specs?|fixtures?|snapshots?)\s+(?:cases?|for|of|that|which|about)\b|\bunit tests?\b|\btested\b|^tests?\b/i,
  },
  { kind: "example", pattern: /\b(?:examples?|samples?|demos?)\b/i },
  { kind: "bench", pattern: /\bbench(?:es|marks?|marking)?\b/i },
  { kind: "docs", pattern: /\b(?:docs?|documentation|readme|guide|tutorial|manual)\b/i },
  { kind: "changelog", pattern: /\b(?:change ?log|release notes?|what'?s new)\b/i },
  { kind: "data", pattern: /\b(?:json|ya?ml|toml|csv) file\b|\b(?:workflow|config(?:uration)?) file\b/i },
  { kind: "template", pattern: /\b(?:templates?|stubs?)\b/i },
  { kind: "translation", pattern: /\b(?:translations?|locales?|i18n|messages in)\b/i },
  { kind: "legacy", pattern: /\b(?:legacy|deprecated|compat(?:ibility)?|old|obsolete)\b/i },
  { kind: "declaration", pattern: /\b(?:type declarations?|typings?|stub files?|\.d\.ts|\.pyi)\b/i },
  { kind: "generated", pattern: /\bgenerated\b/i },
  { kind: "vendored", pattern: /\b(?:vendored|bundled|third[- ]party)\b/i },
];

/** Kinds of files a question names: these are not demoted. */
export function kindsAskedFor(question: string): ReadonlySet<PathKind> {
  return new Set(ASKED.filter(({ pattern }) => pattern.test(question)).map(({ kind }) => kind));
}
