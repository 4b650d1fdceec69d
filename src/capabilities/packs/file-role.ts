/** What a file is to a task: the source to edit, a test of it, or something that is seldom read for itself. In their order. */
export const FILE_ROLES = ["source", "test", "accessory"] as const;
export type FileRole = (typeof FILE_ROLES)[number];

const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|spec|unittest|test-d)s?\.\w+$|(?:Tests?|Spec|Suite|TestCase)\.\w+$|\.bats$/;
const ACCESSORY = [
  // fixtures and snapshots
  /(?:^|\/)(?:testdata|fixtures?|__fixtures__|__snapshots__|__mocks__|snapshots|golden)\/|\.(?:snap|stderr|golden|expected|map|min\.js|min\.css)$/,
  // lock files
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|mix\.lock|[^/]+\.lock)$/,
  // translations
  /\.(?:po|pot|xlf|xliff|arb)$|(?:^|\/)(?:locales?|i18n|translations?|lang)\/[^/]+\.(?:json|ya?ml|properties|md)$/,
  // lists of changes
  /(?:^|\/)(?:changelog|changes|history|news|releases?|release-notes|whatsnew)(?:\.\w+)?$|(?:^|\/)\.?(?:changesets?|changelog\.d)\//i,
  // generated code and copies of other projects
  /(?:^|\/)(?:generated|__generated__|vendor|third_party|node_modules|dist)\/|\.pb\.\w+$|_pb2(?:_grpc)?\.pyi?$|[._]generated\.\w+$|(?:^|\/)zz_generated/i,
  // benchmarks and examples
  /(?:^|\/)(?:bench(?:es|marks?)?|_?examples?|samples?|demos?|docs?_src)\//,
] as const;

/** By its path alone; a file is an accessory before it is a test. */
export function fileRoleOf(path: string): FileRole {
  if (ACCESSORY.some((pattern) => pattern.test(path))) return "accessory";
  return TEST.test(path) ? "test" : "source";
}

/** Whether a task is about tests themselves: then they are not limited. */
export const isAboutTests = (task: string): boolean =>
  /\b(?:tests?|testing|specs?|fixtures?|snapshots?|coverage|flaky)\b/i.test(task);
