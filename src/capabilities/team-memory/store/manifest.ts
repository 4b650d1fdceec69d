import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { readJson } from "./json-files.ts";
import { IGNORED, MANIFEST, SCHEMA_VERSION, STORE_DIRECTORY } from "./layout.ts";
import type { MemoryStore } from "./store.ts";

/** Files in the project's root that reveal its language and build system. */
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

interface NewStore {
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

/** Keeps existing lines and adds what must never be committed. */
export function ignoreLines(before: string): string {
  const lines = before.split("\n");
  const missing = IGNORED.filter((line) => !lines.includes(line));
  if (missing.length === 0) return before;
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  return `${start}${missing.join("\n")}\n`;
}

const NamedManifest = z.object({ project: z.object({ name: z.string() }).catch({ name: "" }) });

interface InitOptions {
  readonly name?: string | undefined;
  readonly repo_url: string;
  /** Also for an existing store: every clone registers the driver for itself. */
  readonly merge_driver: boolean;
}
interface InitResult {
  readonly name: string;
  readonly directory: string;
  /** The attributes file that assigns files to the driver. */
  readonly merge_driver?: string;
}

/** Creates an empty store with the given name. */
export async function initStore(
  store: MemoryStore,
  { name, repo_url, merge_driver }: InitOptions,
): Promise<InitResult> {
  if (!store.isInitialised()) {
    const created = { repoUrl: repo_url, ...(name !== undefined && { name }) };
    await store.write({ purpose: "creating the context store", created }, () => undefined);
  } else if (!merge_driver) {
    throw new DomainError("conflict", "The context store is already initialized here.");
  }
  const made = { name: readJson(store, MANIFEST, NamedManifest).project.name, directory: STORE_DIRECTORY };
  if (!merge_driver) return made;
  const { installMergeDriver, thisProgram } = await import("../git-sync/merge-driver.ts");
  return { ...made, merge_driver: await installMergeDriver(store, thisProgram()) };
}
