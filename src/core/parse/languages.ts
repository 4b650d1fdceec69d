import type { Language } from "./language.ts";
import { bash } from "./languages/bash/index.ts";
import { c } from "./languages/c/index.ts";
import { clojure } from "./languages/clojure/index.ts";
import { cpp } from "./languages/cpp/index.ts";
import { csharp } from "./languages/csharp/index.ts";
import { css } from "./languages/css/index.ts";
import { dart } from "./languages/dart/index.ts";
import { dockerfile } from "./languages/dockerfile/index.ts";
import { elixir } from "./languages/elixir/index.ts";
import { elm } from "./languages/elm/index.ts";
import { erlang } from "./languages/erlang/index.ts";
import { go } from "./languages/go/index.ts";
import { graphql } from "./languages/graphql/index.ts";
import { haskell } from "./languages/haskell/index.ts";
import { hcl } from "./languages/hcl/index.ts";
import { java } from "./languages/java/index.ts";
import { javascript } from "./languages/javascript/index.ts";
import { json } from "./languages/json/index.ts";
import { julia } from "./languages/julia/index.ts";
import { kotlin } from "./languages/kotlin/index.ts";
import { lua } from "./languages/lua/index.ts";
import { makefile } from "./languages/makefile/index.ts";
import { markdown } from "./languages/markdown/index.ts";
import { nim } from "./languages/nim/index.ts";
import { objectiveC } from "./languages/objective-c/index.ts";
import { ocaml } from "./languages/ocaml/index.ts";
import { perl } from "./languages/perl/index.ts";
import { php } from "./languages/php/index.ts";
import { powershell } from "./languages/powershell/index.ts";
import { protobuf } from "./languages/protobuf/index.ts";
import { python } from "./languages/python/index.ts";
import { r } from "./languages/r/index.ts";
import { ruby } from "./languages/ruby/index.ts";
import { rust } from "./languages/rust/index.ts";
import { scala } from "./languages/scala/index.ts";
import { solidity } from "./languages/solidity/index.ts";
import { sql } from "./languages/sql/index.ts";
import { svelte } from "./languages/svelte/index.ts";
import { swift } from "./languages/swift/index.ts";
import { toml } from "./languages/toml/index.ts";
import { tsx } from "./languages/tsx/index.ts";
import { typescript } from "./languages/typescript/index.ts";
import { vue } from "./languages/vue/index.ts";
import { yaml } from "./languages/yaml/index.ts";
import { zig } from "./languages/zig/index.ts";
import type { ModuleRules } from "./references/modules.ts";

/** Every folder of `languages/`; a test compares the two. */
export const LANGUAGES = [
  bash,
  c,
  clojure,
  cpp,
  csharp,
  css,
  dart,
  dockerfile,
  elixir,
  elm,
  erlang,
  go,
  graphql,
  haskell,
  hcl,
  java,
  javascript,
  json,
  julia,
  kotlin,
  lua,
  makefile,
  markdown,
  nim,
  objectiveC,
  ocaml,
  perl,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  solidity,
  sql,
  svelte,
  swift,
  toml,
  tsx,
  typescript,
  vue,
  yaml,
  zig,
] as const satisfies readonly Language[];

export type LanguageId = (typeof LANGUAGES)[number]["id"];

export type KnownLanguage = Language<LanguageId>;

/** How a language finds what other files declare; a component is read as the language of its script. */
export function modulesOf(id: string): ModuleRules | undefined {
  const language = BY_ID.get(id);
  if (language && "modules" in language) return language.modules;
  const [other] = language && "delegate" in language ? (language.delegate?.to ?? []) : [];
  return other === undefined ? undefined : modulesOf(other);
}

export const languageById = (id: string): KnownLanguage | undefined => BY_ID.get(id);

/** The programming language of a file, by its name, else by the `#!` line; `undefined` for prose, data and the unknown. */
export function languageOf(path: string, firstLine?: string): LanguageId | undefined {
  const language =
    named(path) ?? (firstLine === undefined ? undefined : BY_INTERPRETER.get(interpreterOf(firstLine)));
  return language?.isDocument ? undefined : language?.id;
}

/** The language of prose and data that has an outline: headings, top-level keys. */
export function documentLanguageOf(path: string): LanguageId | undefined {
  const language = named(path);
  return language?.isDocument ? language.id : undefined;
}

/** `python3.11` of `#!/usr/bin/env -S python3.11 -u` is `python`. */
export function interpreterOf(firstLine: string): string {
  const written = /^#!\s*(\S+)(?:\s+(.*))?$/.exec(firstLine.slice(0, 300).trimEnd());
  const program = baseName(written?.[1] ?? "");
  const words = (written?.[2] ?? "").split(/\s+/).filter((word) => !/^-|=/.test(word));
  return (program === "env" ? baseName(words[0] ?? "") : program).replace(/[\d.]+$/, "");
}

function named(path: string): KnownLanguage | undefined {
  const name = baseName(path).toLowerCase();
  const whole = BY_FILE_NAME.get(name);
  if (whole) return whole;
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1));
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const indexBy = (keysOf: (language: Language) => readonly string[]): ReadonlyMap<string, KnownLanguage> =>
  new Map(LANGUAGES.flatMap((language) => keysOf(language).map((key) => [key, language] as const)));

const BY_ID = indexBy(({ id }) => [id]);
const BY_EXTENSION = indexBy(({ extensions }) => extensions);
const BY_FILE_NAME = indexBy(({ fileNames = [] }) => fileNames);
const BY_INTERPRETER = indexBy(({ interpreters = [] }) => interpreters);
