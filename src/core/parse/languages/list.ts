// Written by languages.test.ts from the folders of languages/ (UPDATE_SYMBOLS=1).
import type { Language } from "../language.ts";
import { bash } from "./bash/index.ts";
import { c } from "./c/index.ts";
import { clojure } from "./clojure/index.ts";
import { cpp } from "./cpp/index.ts";
import { csharp } from "./csharp/index.ts";
import { css } from "./css/index.ts";
import { dart } from "./dart/index.ts";
import { dockerfile } from "./dockerfile/index.ts";
import { elixir } from "./elixir/index.ts";
import { elm } from "./elm/index.ts";
import { erlang } from "./erlang/index.ts";
import { go } from "./go/index.ts";
import { graphql } from "./graphql/index.ts";
import { haskell } from "./haskell/index.ts";
import { hcl } from "./hcl/index.ts";
import { java } from "./java/index.ts";
import { javascript } from "./javascript/index.ts";
import { json } from "./json/index.ts";
import { julia } from "./julia/index.ts";
import { kotlin } from "./kotlin/index.ts";
import { lua } from "./lua/index.ts";
import { makefile } from "./makefile/index.ts";
import { markdown } from "./markdown/index.ts";
import { nim } from "./nim/index.ts";
import { objectiveC } from "./objective-c/index.ts";
import { ocaml } from "./ocaml/index.ts";
import { perl } from "./perl/index.ts";
import { php } from "./php/index.ts";
import { powershell } from "./powershell/index.ts";
import { protobuf } from "./protobuf/index.ts";
import { python } from "./python/index.ts";
import { r } from "./r/index.ts";
import { ruby } from "./ruby/index.ts";
import { rust } from "./rust/index.ts";
import { scala } from "./scala/index.ts";
import { solidity } from "./solidity/index.ts";
import { sql } from "./sql/index.ts";
import { svelte } from "./svelte/index.ts";
import { swift } from "./swift/index.ts";
import { toml } from "./toml/index.ts";
import { tsx } from "./tsx/index.ts";
import { typescript } from "./typescript/index.ts";
import { vue } from "./vue/index.ts";
import { yaml } from "./yaml/index.ts";
import { zig } from "./zig/index.ts";

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
