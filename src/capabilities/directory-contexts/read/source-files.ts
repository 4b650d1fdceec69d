import { isSource } from "../../../core/parse/source-files.ts";

/** Extensions of source files, and of the texts beside them. */
const EXTENSIONS = new Set(
  [
    "ts tsx js jsx mjs cjs py pyi rs go java kt kts c cpp cc h hpp cs rb php swift scala ex exs hs lua r sql",
    "sh bash zsh yaml yml json toml xml html css scss md mdx markdown adoc txt rst vue svelte tf hcl dockerfile graphql gql proto",
  ].flatMap((line) => line.split(" ")),
);
const NAMES = new Set([
  ..."Dockerfile docker-compose.yaml docker-compose.yml Makefile Cargo.toml go.mod pyproject.toml".split(" "),
  ..."setup.py setup.cfg Gemfile Rakefile CMakeLists.txt".split(" "),
]);
const OURS = new Set([".context.yaml", ".context.config.yaml"]);

/** Generated and installed directories, skipped at any depth; no ignore file can include them. */
const NEVER_ENTERED = new Set(
  [
    "node_modules dist build out __pycache__ venv target vendor obj _build Pods bower_components",
    "coverage _site storybook-static tmp temp",
  ].flatMap((line) => line.split(" ")),
);

export function isSourceFile(name: string): boolean {
  if (OURS.has(name)) return false;
  return NAMES.has(name) || EXTENSIONS.has(extensionOf(name)) || isSource(name);
}

export const isEntered = (directoryName: string): boolean =>
  !directoryName.startsWith(".") && !NEVER_ENTERED.has(directoryName);

/** Lower case, without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** A file's name without its extension; `.d.ts` and `.gradle.kts` count as one extension. */
export const stemOf = (file: string): string => file.replace(/(?:\.d|\.gradle)?\.\w+$/, "");
