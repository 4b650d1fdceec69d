import { byCodeUnit } from "../../../../core/order.ts";
import type { DirectoryContext } from "../../schema.ts";
import type { PackageManifest } from "../sources/manifests.ts";
import { languageName } from "../sources/sources.ts";

type ProjectFacts = NonNullable<DirectoryContext["project"]>;

interface ProjectInput {
  /** Base name of the root directory. */
  readonly directoryName: string;
  readonly summary: string;
  readonly manifests: readonly PackageManifest[];
  /** Names of all files in the root, source or not. */
  readonly rootFiles: ReadonlySet<string>;
  /** The package manager that runs the scripts of a package.json. */
  readonly nodeManager: string;
  /** Paths of the project's source files. */
  readonly sources: readonly string[];
}

/** Name, language, framework and package manager, from manifests, lock files and the files themselves. */
export function describeProject(input: ProjectInput): ProjectFacts {
  const counts = countLanguages(input.sources);
  const main = mainManifest(input.manifests, counts);
  const framework = frameworkOf(main ? [main] : []) ?? frameworkOf(input.manifests);
  const manager = packageManagerOf(input, main);
  return {
    name: main?.name || input.directoryName,
    description: main?.description || input.summary,
    language: languageOf(input, main, counts),
    ...(framework !== undefined && { framework }),
    ...(manager !== undefined && { package_manager: manager }),
  };
}

/** The command that runs the tests, with the project's package manager. */
export function testCommandOf({
  manifests,
  nodeManager,
}: Pick<ProjectInput, "manifests" | "nodeManager">): string[] {
  return manifests.flatMap((manifest) => {
    if (manifest.testCommand === undefined) return [];
    if (manifest.kind !== "npm") return [manifest.testCommand];
    return [nodeManager === "bun" ? "bun run test" : `${nodeManager} test`];
  });
}

const LANGUAGES = {
  npm: ["TypeScript", "JavaScript", "Vue", "Svelte"],
  python: ["Python"],
  rust: ["Rust"],
  go: ["Go"],
  maven: ["Java", "Kotlin", "Scala"],
  composer: ["PHP"],
  gem: ["Ruby"],
  nuget: ["C#", "F#"],
  hex: ["Elixir", "Erlang"],
  cabal: ["Haskell"],
  gradle: ["Java", "Kotlin", "Scala", "Groovy"],
} as const satisfies Record<PackageManifest["kind"], readonly string[]>;

function countLanguages(sources: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of sources) {
    const name = languageName(path);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The manifest of the language that most files use: a package.json may exist for tools only. */
function mainManifest(
  manifests: readonly PackageManifest[],
  counts: ReadonlyMap<string, number>,
): PackageManifest | undefined {
  const filesOf = ({ kind }: PackageManifest) =>
    LANGUAGES[kind].reduce((sum, language) => sum + (counts.get(language) ?? 0), 0);
  const isNamed = ({ name }: PackageManifest) => Number(name !== "");
  return manifests.toSorted((a, b) => filesOf(b) - filesOf(a) || isNamed(b) - isNamed(a))[0];
}

function languageOf(
  { rootFiles }: ProjectInput,
  main: PackageManifest | undefined,
  counts: ReadonlyMap<string, number>,
): string {
  const most = (names: readonly string[]) =>
    names.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || byCodeUnit(a, b))[0];
  switch (main?.kind) {
    case "npm": {
      if (rootFiles.has("tsconfig.json")) return "typescript";
      return (counts.get("TypeScript") ?? 0) > (counts.get("JavaScript") ?? 0) ? "typescript" : "javascript";
    }
    case "python":
    case "rust":
    case "go":
      return main.kind;
    case "maven":
      return (most(LANGUAGES.maven) ?? "Java").toLowerCase();
    case "composer":
    case "gem":
    case "nuget":
    case "hex":
    case "cabal":
    case "gradle":
    case undefined:
      return most([...counts.keys()])?.toLowerCase() ?? "unknown";
  }
}

/** Earlier rows win: a framework says more than the library below it. */
const FRAMEWORKS: readonly (readonly [dependency: RegExp, name: string])[] = [
  [/^next /, "next"],
  [/^nuxt /, "nuxt"],
  [/^@sveltejs\/kit /, "sveltekit"],
  [/^@remix-run\//, "remix"],
  [/^astro /, "astro"],
  [/^@nestjs\/core /, "nestjs"],
  [/^@angular\/core /, "angular"],
  [/^electron /, "electron"],
  [/^react-native /, "react-native"],
  [/^vue /, "vue"],
  [/^svelte /, "svelte"],
  [/^react /, "react"],
  [/^fastify /, "fastify"],
  [/^express /, "express"],
  [/^hono /, "hono"],
  [/^koa /, "koa"],
  [/^django\b/i, "django"],
  [/^fastapi\b/i, "fastapi"],
  [/^flask\b/i, "flask"],
  [/^axum\b/, "axum"],
  [/^actix-web\b/, "actix-web"],
  [/^rocket\b/, "rocket"],
  [/^github\.com\/gin-gonic\/gin /, "gin"],
  [/^github\.com\/labstack\/echo/, "echo"],
  [/^github\.com\/gofiber\/fiber/, "fiber"],
];

function frameworkOf(manifests: readonly PackageManifest[]): string | undefined {
  const dependencies = manifests.flatMap((manifest) => manifest.dependencies);
  return FRAMEWORKS.find(([pattern]) => dependencies.some((each) => pattern.test(`${each} `)))?.[1];
}

function packageManagerOf(
  { rootFiles, nodeManager }: ProjectInput,
  main: PackageManifest | undefined,
): string | undefined {
  switch (main?.kind) {
    case "npm":
      return nodeManager;
    case "maven":
      return "maven";
    case "python":
      return (
        firstWith(rootFiles, [
          ["uv.lock", "uv"],
          ["poetry.lock", "poetry"],
          ["pdm.lock", "pdm"],
          ["Pipfile", "pipenv"],
        ]) ?? "pip"
      );
    case "rust":
      return "cargo";
    case "go":
    case "composer":
    case "nuget":
      return main.kind;
    case "hex":
      return "mix";
    case "cabal":
    case "gradle":
      return main.kind;
    case "gem":
    case undefined:
      return firstWith(rootFiles, [
        ["build.gradle", "gradle"],
        ["build.gradle.kts", "gradle"],
        ["Gemfile", "bundler"],
      ]);
  }
}

const firstWith = (files: ReadonlySet<string>, table: readonly (readonly [file: string, name: string])[]) =>
  table.find(([file]) => files.has(file))?.[1];
