import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { IGNORED, SCHEMA_VERSION } from "./layout.ts";

/** Files in the project's root that tell its language and build system. */
const MARKERS: Readonly<Record<string, readonly [language: string, build: string]>> = {
  "pyproject.toml": ["Python", "pyproject.toml"],
  "setup.py": ["Python", "setuptools"],
  "setup.cfg": ["Python", "setuptools"],
  "Cargo.toml": ["Rust", "Cargo"],
  "go.mod": ["Go", "Go modules"],
  "package.json": ["JavaScript", "npm"],
  "tsconfig.json": ["TypeScript", ""],
  "CMakeLists.txt": ["C/C++", "CMake"],
  Makefile: ["", "Make"],
  "config.mk": ["", "Make"],
  "build.gradle": ["Java", "Gradle"],
  "build.gradle.kts": ["Kotlin", "Gradle"],
  "pom.xml": ["Java", "Maven"],
  Gemfile: ["Ruby", "Bundler"],
  "mix.exs": ["Elixir", "Mix"],
  "dune-project": ["OCaml", "Dune"],
  "stack.yaml": ["Haskell", "Stack"],
  "flake.nix": ["", "Nix"],
  "docker-compose.yml": ["", "Docker Compose"],
  "docker-compose.yaml": ["", "Docker Compose"],
  Dockerfile: ["", "Docker"],
};

export interface NewStore {
  readonly root: string;
  readonly name?: string;
  readonly repoUrl?: string;
  readonly now: Date;
}

export function newManifest({ root, name, repoUrl = "", now }: NewStore) {
  const found = Object.entries(MARKERS)
    .filter(([file]) => lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile())
    .map(([, marks]) => marks);
  const distinct = (values: readonly string[]) => [...new Set(values.filter((value) => value !== ""))].sort();
  return {
    schema_version: SCHEMA_VERSION,
    project: { name: name || basename(root) || "project", id: randomUUID(), repo_url: repoUrl },
    adapters: {},
    team: { members: [] },
    languages: distinct(found.map(([language]) => language)),
    build_systems: distinct(found.map(([, build]) => build)),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

/** Keeps what others wrote into the file and adds what must never be committed. */
export function ignoreLines(before: string): string {
  const lines = before.split("\n");
  const missing = IGNORED.filter((line) => !lines.includes(line));
  if (missing.length === 0) return before;
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  return `${start}${missing.join("\n")}\n`;
}
