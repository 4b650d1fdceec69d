/** What the rules look at. `files` are the directory's own source files. */
interface RuledDirectory {
  readonly scope: string;
  readonly files: readonly string[];
}

const words = (text: string) => new Set(text.split(" "));

/** Directories of these names, and all below them, get no context. A line such as `!testdata/` in `.contextignore` keeps one. */
const NO_CONTEXT_NAMES: ReadonlySet<string> = words(
  [
    "testdata test-data test_data testfixtures __testfixtures__ fixtures __fixtures__ fixture golden snapshots __snapshots__ mocks __mocks__",
    "locales locale _locales translations generated __generated__ gen third_party third-party vendored",
    "testscripts release-notes changelogs",
  ].join(" "),
);
/** `tests`, `UnitTests`, `Shop.Core.Tests`, `shop-tests`. */
const isTestName = (name: string) =>
  /^(tests?|__tests__|specs?|e2e|t)$|[._-](tests?|specs?)$/i.test(name) || /[a-z]Tests$/.test(name);
const DOCUMENT_EXTENSIONS =
  /\.(mdx?|rst|txt|adoc|html?|ya?ml|json[c5]?|toml|xml|css|scss|ini|cfg|lock|svg)$|^\./i;
/** Files that set up tools. They do not make a directory one of code. */
const SETUP_FILES =
  /^(conf|setup|conftest|noxfile)\.py$|\.config\.[cm]?[jt]s$|^(Makefile|Dockerfile|Rakefile|Gemfile|CMakeLists\.txt|build\.sbt|make\.bat)$/;
const DESCRIBING_FILES =
  /^(readme(\.\w+)?|package\.json|Cargo\.toml|pyproject\.toml|pom\.xml|composer\.json|package-info\.java)$/i;

const TEST_FILES = /[._-](test|spec)\.[^.]+$|^test_.*\.py$|Tests?\.(java|kt|cs)$/;

/** Why a directory gets no context. The first rule that applies decides. */
export const CONTEXT_RULES: readonly {
  readonly why: string;
  applies(directory: RuledDirectory): boolean;
}[] = [
  {
    why: "data for tests, translations or generated code",
    applies: ({ scope }) => scope.split("/").some((name) => NO_CONTEXT_NAMES.has(name.toLowerCase())),
  },
  // A README among documents is about the project or about writing; code is for the site.
  {
    why: "documents",
    applies: ({ scope, files }) =>
      /^(docs?|documentation)$/i.test(scope) ||
      (/^(docs?|documentation)\//i.test(scope) && !files.some(isCode)),
  },
  { why: "below a directory of tests", applies: ({ scope }) => testRootOf(scope) !== undefined },
  {
    why: "tests beside the code they test",
    applies: ({ scope }) => isTestDirectory(scope) && scope.split("/").length > 2,
  },
  {
    why: "no code, no README and no manifest of its own",
    applies: ({ scope, files }) =>
      !isTestDirectory(scope) && !files.some((name) => isCode(name) || DESCRIBING_FILES.test(name)),
  },
  {
    why: "a single file, with or without its tests",
    applies: ({ scope, files }) =>
      isFew(scope, files, 1) && !files.some((name) => DESCRIBING_FILES.test(name)),
  },
  {
    why: "two or three files, none of which is about the directory",
    applies: ({ scope, files }) =>
      isFew(scope, files, 3) && !files.some((name) => isAboutDirectory(scope, name)),
  },
];

export const isTestDirectory = (scope: string): boolean =>
  isTestName(scope.slice(scope.lastIndexOf("/") + 1));

/** The highest test directory above a scope. */
export function testRootOf(scope: string): string | undefined {
  const names = scope.split("/");
  const at = names.findIndex(isTestName);
  return at < 0 || at === names.length - 1 ? undefined : names.slice(0, at + 1).join("/");
}

const isCode = (name: string) => !DOCUMENT_EXTENSIONS.test(name) && !SETUP_FILES.test(name);

const isFew = (scope: string, files: readonly string[], most: number) =>
  !isTestDirectory(scope) && files.filter((name) => !TEST_FILES.test(name)).length <= most;

/** Files whose first comment may describe the whole directory. In Go, that is any file. */
const ENTRY_FILES = /^(index|main|mod|lib|__init__|package)\.|\.go$/;

function isAboutDirectory(scope: string, name: string): boolean {
  const stem = plain(name.replace(/\..*$/, ""));
  return DESCRIBING_FILES.test(name) || ENTRY_FILES.test(name) || stem === plain(scope.replace(/^.*\//, ""));
}

const plain = (name: string) => name.replace(/[\W_]/g, "").toLowerCase().replace(/s$/, "");
