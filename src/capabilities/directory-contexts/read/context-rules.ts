import {
  isGeneratedName,
  isTestDataName,
  isTestFile,
  isTestName,
  isVendoredName,
} from "../../../core/files/path-kinds.ts";

/** What the rules look at. `files` are the directory's own source files. */
interface RuledDirectory {
  readonly scope: string;
  readonly files: readonly string[];
}

const words = (text: string) => new Set(text.split(" "));

/** Data that is not for tests: translations and logs of releases. */
const NO_CONTEXT_NAMES: ReadonlySet<string> = words(
  "locales locale _locales translations gen testscripts release-notes changelogs",
);
/** Gets no context, and neither does what is below. A line such as `!testdata/` in `.contextignore` keeps one. */
const isDataDirectory = (name: string) =>
  [isTestDataName, isGeneratedName, isVendoredName].some((isSuch) => isSuch(name)) ||
  NO_CONTEXT_NAMES.has(name.toLowerCase());
const DOCUMENT_EXTENSIONS =
  /\.(mdx?|rst|txt|adoc|html?|ya?ml|json[c5]?|toml|xml|css|scss|ini|cfg|lock|svg)$|^\./i;
/** Files that set up tools. They do not make a directory one of code. */
const SETUP_FILES =
  /^(conf|setup|conftest|noxfile)\.py$|\.config\.[cm]?[jt]s$|^(Makefile|Dockerfile|Rakefile|Gemfile|CMakeLists\.txt|build\.sbt|make\.bat)$/;
const MANIFEST = /^(package\.json|Cargo\.toml|pyproject\.toml|pom\.xml|composer\.json)$/i;
const DESCRIBING_FILES = new RegExp(`${MANIFEST.source}|^(readme(\\.\\w+)?|package-info\\.java)$`, "i");
/** In these languages the comment of the package is in a file of it. In Go, that is any file. */
const PACKAGE_FILES = /\.go$|^__init__\.py$/;

/** Why a directory gets no context. The first rule that applies decides. */
export const CONTEXT_RULES: readonly {
  readonly why: string;
  applies(directory: RuledDirectory): boolean;
}[] = [
  {
    why: "data for tests, translations or generated code",
    applies: ({ scope }) => scope.split("/").some(isDataDirectory),
  },
  // A README among documents is about the project or about writing; code is for the site.
  {
    why: "documents",
    applies: ({ scope, files }) =>
      /^(\w*docs?|documentation)$/i.test(scope) ||
      (/(^|\/)(\w*docs?|documentation)\//i.test(`${scope}/`) &&
        !files.some((name) => isCode(name) || MANIFEST.test(name))),
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
      isFew(scope, files, 1) &&
      !files.some((name) => DESCRIBING_FILES.test(name) || PACKAGE_FILES.test(name)),
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
  !isTestDirectory(scope) && files.filter((name) => !isTestFile(name)).length <= most;

/** Files whose first comment may describe the whole directory. */
const ENTRY_FILES = /^(index|main|mod|lib|__init__|package)\./;

function isAboutDirectory(scope: string, name: string): boolean {
  const stem = plain(name.replace(/\..*$/, ""));
  return (
    [DESCRIBING_FILES, PACKAGE_FILES, ENTRY_FILES].some((each) => each.test(name)) ||
    stem === plain(scope.replace(/^.*\//, ""))
  );
}

const plain = (name: string) => name.replace(/[\W_]/g, "").toLowerCase().replace(/s$/, "");
