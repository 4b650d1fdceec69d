import type { DirectoryContext } from "../schema.ts";
import type { Manifest } from "./manifests.ts";
import { languageName } from "./sources.ts";

type Project = NonNullable<DirectoryContext["project"]>;

export interface ProjectClues {
  /** Base name of the root directory. */
  readonly directoryName: string;
  readonly summary: string;
  readonly manifests: readonly Manifest[];
  /** Names of all files in the root, source or not. */
  readonly rootFiles: ReadonlySet<string>;
  /** Paths of the project's source files. */
  readonly sources: readonly string[];
}

/** Name, language, framework and package manager, from manifests, lock files and the files themselves. */
export function describeProject(clues: ProjectClues): Project {
  const main = clues.manifests.find(({ name }) => name !== "") ?? clues.manifests[0];
  const language = languageOf(clues, main);
  const framework = frameworkOf(clues.manifests);
  const manager = packageManagerOf(clues, main);
  return {
    name: main?.name || clues.directoryName,
    description: main?.description || clues.summary,
    language,
    ...(framework !== undefined && { framework }),
    ...(manager !== undefined && { package_manager: manager }),
  };
}

/** The command that runs the tests, said with the project's own package manager. */
export function testCommandOf({
  manifests,
  rootFiles,
}: Pick<ProjectClues, "manifests" | "rootFiles">): string[] {
  return manifests.flatMap((manifest) => {
    if (manifest.testCommand === undefined) return [];
    if (manifest.kind !== "npm") return [manifest.testCommand];
    const manager = nodeManager(rootFiles, manifest);
    return [manager === "bun" ? "bun run test" : `${manager} test`];
  });
}

function languageOf({ sources, rootFiles }: ProjectClues, main: Manifest | undefined): string {
  const counts = new Map<string, number>();
  for (const path of sources) {
    const name = languageName(path);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = (names: readonly string[]) =>
    names.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1))[0];
  switch (main?.kind) {
    case "npm": {
      if (rootFiles.has("tsconfig.json")) return "typescript";
      return (counts.get("TypeScript") ?? 0) > (counts.get("JavaScript") ?? 0) ? "typescript" : "javascript";
    }
    case "python":
    case "rust":
    case "go":
      return main.kind;
    case undefined:
      return most([...counts.keys()])?.toLowerCase() ?? "unknown";
  }
}

/** Earlier rows win: a framework is more telling than the library under it. */
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

function frameworkOf(manifests: readonly Manifest[]): string | undefined {
  const dependencies = manifests.flatMap((manifest) => manifest.dependencies);
  return FRAMEWORKS.find(([pattern]) => dependencies.some((each) => pattern.test(`${each} `)))?.[1];
}

function packageManagerOf({ rootFiles }: ProjectClues, main: Manifest | undefined): string | undefined {
  switch (main?.kind) {
    case "npm":
      return nodeManager(rootFiles, main);
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
      return "go";
    case undefined:
      return firstWith(rootFiles, [
        ["pom.xml", "maven"],
        ["build.gradle", "gradle"],
        ["build.gradle.kts", "gradle"],
        ["Gemfile", "bundler"],
        ["composer.json", "composer"],
      ]);
  }
}

const nodeManager = (files: ReadonlySet<string>, manifest: Manifest): string =>
  manifest.packageManager ??
  firstWith(files, [
    ["pnpm-lock.yaml", "pnpm"],
    ["pnpm-workspace.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
    ["bun.lockb", "bun"],
  ]) ??
  "npm";

const firstWith = (files: ReadonlySet<string>, table: readonly (readonly [file: string, name: string])[]) =>
  table.find(([file]) => files.has(file))?.[1];
