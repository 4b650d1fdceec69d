import { LruCache } from "../lru-cache.ts";
import { isSource } from "../parse/source-files.ts";

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
  | "generated"
  | "vendored";

/** `tests`, `unit-tests`, `UnitTests`, `Shop.Core.Tests`; `t` of Perl, `regress` of C. */
const TESTS = String.raw`(?:[\w.-]+[._-]|self|unit)?(?:[Tt]ests?|[Ss]pecs?)|[\w.]*[a-z]Tests|__tests__|t|e2e|test[-_]?suite|regress(?:ion)?`;
/** What tests read and compare with. Without underscores, `snapshots` may be those of a database. */
const TEST_DATA =
  "test[-_]?data|(?:__)?(?:test[-_]?)?fixtures?(?:__)?|(?:__)?mocks(?:__)?|__snapshots__|golden";
const GENERATED = "generated|__generated__|auto_?gen(?:erated)?|single_include";

/** Copies of other projects. Names that may also be a subject of the project count only at its root. */
const VENDORED = "_?vendor(?:ed)?|third[-_]?party|node_modules|bower_components";
const VENDORED_AT_ROOT = /^(?:deps|extern(?:al)?)\//i;

const directoryNamed = (names: string, flags = "") => new RegExp(`(?:^|/)(?:${names})/`, flags);
const nameAmong = (names: string, flags = "") => {
  const pattern = new RegExp(`^(?:${names})$`, flags);
  return (name: string): boolean => pattern.test(name);
};

/** Of a directory, by its name alone, as are the next three. */
export const isTestName = nameAmong(TESTS);
export const isTestDataName = nameAmong(TEST_DATA, "i");
export const isGeneratedName = nameAmong(GENERATED, "i");
export const isVendoredName = nameAmong(VENDORED, "i");

const BELOW_TEST_DATA = directoryNamed(TEST_DATA, "i");
export const isBelowTestData = (path: string): boolean => BELOW_TEST_DATA.test(path);

/** By language, as the people who write it name their tests: any `test_*` would include test frameworks written in shell. */
const TEST_FILES: readonly RegExp[] = [
  // pytest, the C and C++ habit, busted
  /(?:^|\/)(?:test_[^/]*\.(?:py|c|cc|cpp|lua)|conftest\.py)$/,
  /_(?:test|spec|unittest)\.(?:py|go|rb|c|h|cc|cpp|cxx|hpp|lua|dart|exs?|rs|ex)$/,
  /[.-](?:test|spec|test-d|cy)\.[cm]?[jt]sx?$|\.bats$/,
  // JUnit, xUnit, XCTest, PHPUnit, ScalaTest, hspec
  /(?:Tests?|IT|Spec|Suite|TestCase)\.(?:java|kt|swift|cs|php|scala|hs|groovy)$/,
  /\.(?:stderr|snap|golden|expected|fixture)$/,
];

/** By its own name, wherever it is. */
export const isTestFile = (path: string): boolean => TEST_FILES.some((pattern) => pattern.test(path));

interface KindRule {
  readonly kind: PathKind;
  readonly pattern: RegExp;
}

const RULES: readonly KindRule[] = [
  ...[directoryNamed(TESTS), BELOW_TEST_DATA, ...TEST_FILES].map(
    (pattern) => ({ kind: "test", pattern }) as const,
  ),
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
  { kind: "generated", pattern: directoryNamed(GENERATED, "i") },
  {
    kind: "generated",
    pattern:
      /\.pb\.\w+$|_pb2(?:_grpc)?\.pyi?$|\.(?:g|freezed)\.dart$|\.generated\.\w+$|\.designer\.cs$|\.min\.js$|(?:^|\/)zz_generated/i,
  },
  { kind: "vendored", pattern: directoryNamed(VENDORED, "i") },
  { kind: "vendored", pattern: VENDORED_AT_ROOT },
];

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
