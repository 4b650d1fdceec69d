import { LruCache } from "../../lru-cache.ts";
import { isSource } from "../../parse/source-files.ts";
import type { RankStep } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

/** What a path says about a file. A file may be of several kinds. */
export type PathKind =
  | "test"
  | "example"
  | "bench"
  | "docs"
  | "data"
  | "template"
  | "translation"
  | "changelog"
  | "legacy"
  | "reExport"
  | "declaration"
  | "generated";

interface PathRule {
  readonly kind: PathKind;
  readonly pattern: RegExp;
}

/**
 * Each line holds what people who write the language would say of such a file. Names of tests are per language: a bare
 * `test_*` would demote the sources of a test framework written in shell.
 */
const RULES: readonly PathRule[] = [
  {
    kind: "test",
    pattern:
      /(?:^|\/)(?:(?:[\w-]+[-_]|self|unit)?tests?|__tests__|specs?|e2e|test[-_]?suite|regress(?:ion)?|testdata|__mocks__|__fixtures__|fixtures|__snapshots__)\//,
  },
  // pytest, the C and C++ habit, busted
  { kind: "test", pattern: /(?:^|\/)(?:test_[^/]*\.(?:py|c|cc|cpp|lua)|conftest\.py)$/ },
  { kind: "test", pattern: /_(?:test|spec|unittest)\.(?:py|go|rb|c|cc|cpp|cxx|lua|dart|exs?|rs|ex)$/ },
  { kind: "test", pattern: /\.(?:test|spec|test-d|cy)\.[cm]?[jt]sx?$|\.bats$|(?:^|\/)t\/.*\.t$/ },
  // JUnit, xUnit, XCTest, PHPUnit, ScalaTest, hspec
  { kind: "test", pattern: /(?:Tests?|IT|Spec|Suite|TestCase)\.(?:java|kt|swift|cs|php|scala|hs|groovy)$/ },
  { kind: "test", pattern: /\.(?:stderr|snap|golden|expected|fixture)$/ },
  { kind: "bench", pattern: /(?:^|\/)bench(?:es|marks?)?\/|_bench(?:mark)?\.\w+$|\.bench\.[cm]?[jt]sx?$/ },
  { kind: "example", pattern: /(?:^|\/)(?:_?examples?|samples?|demos?|docs?_src)\// },
  { kind: "docs", pattern: /(?:^|\/)docs?\/|\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|1|2|3)$/i },
  {
    kind: "changelog",
    pattern:
      /(?:^|\/)(?:changelog|changes|history|news|releases?|whatsnew)(?:\.(?:md|mdx|rst|txt|adoc|html))?$/i,
  },
  {
    kind: "data",
    pattern: /\.(?:json|ya?ml|toml|xml|csv|tsv|ini|cfg|properties|plist|resx|ndjson|geojson|lock)$/,
  },
  { kind: "template", pattern: /\.(?:stub|tt|erb|ejs|hbs|mustache|tmpl|tpl|j2|eex|heex|leex)$/ },
  {
    kind: "translation",
    pattern: /\.(?:po|pot|xlf|xliff|arb|strings)$|(?:^|\/)(?:locales?|i18n|translations?)\/.*\.\w+$/,
  },
  { kind: "legacy", pattern: /(?:^|\/)(?:_?compat|legacy|deprecated|obsolete|old)\// },
  // Python and Java files that only gather or describe a package
  { kind: "reExport", pattern: /(?:^|\/)(?:__init__\.py|package-info\.java)$/ },
  { kind: "declaration", pattern: /\.d\.[cm]?ts$|\.pyi$/ },
  {
    kind: "generated",
    pattern:
      /(?:^|\/)(?:generated|__generated__|auto_?gen(?:erated)?|single_include)\/|\.pb\.\w+$|_pb2(?:_grpc)?\.pyi?$|\.(?:g|freezed)\.dart$|\.generated\.\w+$|\.designer\.cs$|\.min\.js$|(?:^|\/)zz_generated/i,
  },
];

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

/** Searches of a project find the same paths again and again. */
const recentKinds = new LruCache<readonly PathKind[]>(4_096);
export const kindsOf = (path: string): readonly PathKind[] => recentKinds.of(path, () => readKinds(path));

function readKinds(path: string): readonly PathKind[] {
  const kinds = new Set(RULES.filter(({ pattern }) => pattern.test(path)).map(({ kind }) => kind));
  if (kinds.size === 0 && HAS_EXTENSION.test(path) && !isSource(path)) return ["data"];
  return [...kinds];
}

/** A file without an extension may be a script, which only its first line tells. */
const HAS_EXTENSION = /[^/]\.\w+$/;

const ASKED: readonly PathRule[] = [
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
];

/** Kinds of files a question names: these are not demoted. */
export function kindsAskedFor(question: string): ReadonlySet<PathKind> {
  return new Set(ASKED.filter(({ pattern }) => pattern.test(question)).map(({ kind }) => kind));
}
