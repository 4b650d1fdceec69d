import { existsSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../core/room-offer.ts";

const SIGNS: readonly { readonly file: string; readonly means: string }[] = [
  { file: ".git", means: "a git repository" },
  { file: "go.mod", means: "a Go module" },
  { file: "package.json", means: "a JavaScript package" },
  { file: "pyproject.toml", means: "a Python project" },
  { file: "Cargo.toml", means: "a Rust crate" },
  { file: "pom.xml", means: "a Java project" },
  { file: ".context.yaml", means: "directory contexts" },
  { file: ".context-teleport/manifest.json", means: "team memory" },
  { file: ".context-caches", means: "context caches" },
  { file: "contextful.toml", means: "a contextful configuration" },
];

/** Five lines for someone who typed the bare name: what it is, what is here, what to do. */
export function welcome(app: App, version: string): string {
  const { root } = app.machine;
  const found = SIGNS.filter(({ file }) => existsSync(join(root, file))).map(({ means }) => means);
  return `Contextful ${version} gives every coding agent the context of a project, from one server.
Here: ${root}${found.length === 0 ? ", nothing configured yet" : `, with ${found.join(", ")}`}.
Try it:        contextful start
Your clients:  contextful setup
More:          contextful --help, contextful doctor
`;
}
