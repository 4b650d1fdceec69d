// Written by languages.test.ts from the folders of languages/ (UPDATE_SYMBOLS=1).
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
