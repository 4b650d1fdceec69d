import type { LanguageNames } from "./language.ts";
import { LANGUAGE_NAMES } from "./languages/names.ts";

export type LanguageId = (typeof LANGUAGE_NAMES)[number]["id"];
type NamesOfLanguage = LanguageNames<LanguageId>;

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
function interpreterOf(firstLine: string): string {
  const written = /^#!\s*(\S+)(?:\s+(.*))?$/.exec(firstLine.slice(0, 300).trimEnd());
  const program = baseName(written?.[1] ?? "");
  const words = (written?.[2] ?? "").split(/\s+/).filter((word) => !/^-|=/.test(word));
  return (program === "env" ? baseName(words[0] ?? "") : program).replace(/[\d.]+$/, "");
}

function named(path: string): NamesOfLanguage | undefined {
  const name = baseName(path).toLowerCase();
  const whole = BY_FILE_NAME.get(name);
  if (whole) return whole;
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1));
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const indexBy = (
  keysOf: (names: NamesOfLanguage) => readonly string[],
): ReadonlyMap<string, NamesOfLanguage> =>
  new Map(LANGUAGE_NAMES.flatMap((names) => keysOf(names).map((key) => [key, names] as const)));

const BY_EXTENSION = indexBy(({ extensions }) => extensions);
const BY_FILE_NAME = indexBy(({ fileNames = [] }) => fileNames);
const BY_INTERPRETER = indexBy(({ interpreters = [] }) => interpreters);

/** Whether a file is source code, in a language we parse or in any other. Prose, data and lock files are not. */
export function isSource(path: string, firstLine = ""): boolean {
  if (languageOf(path, firstLine) !== undefined) return true;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (FILE_NAMES.has(name)) return true;
  const dot = name.lastIndexOf(".");
  if (dot > 0) return EXTENSIONS.has(name.slice(dot + 1));
  return INTERPRETERS.has(interpreterOf(firstLine));
}

/** Languages without symbols here. */
const EXTENSIONS = new Set([
  // Systems and hardware
  ..."asm s nasm ada adb ads d di f f77 f90 f95 f03 f08 for v sv svh vh vhd vhdl cl metal hlsl glsl vert frag wgsl".split(
    " ",
  ),
  ..."cuf odin jai c3 vala vapi pas pp dpr lpr cob cbl cobol rpg carbon mojo hx hxml ispc ll wat wast".split(
    " ",
  ),
  // Functional and logic
  ..."fs fsi fsx fsproj gleam purs idr lidr agda lean coq rkt scm sld lisp lsp el hy fnl edn pro prolog".split(
    " ",
  ),
  ..."sml re rei res resi dhall nix roc unison kk flix koka bqn apl dyalog forth fth factor".split(" "),
  // The web and templates
  ..."astro erb haml slim ejs pug jade hbs mustache liquid twig blade jsp aspx ascx cshtml razor vbhtml".split(
    " ",
  ),
  ..."coffee litcoffee ls sass styl stylus heex leex eex jinja jinja2 j2 njk marko wxml wxss qml xaml".split(
    " ",
  ),
  // Scripts and tools
  ..."awk sed tcl tk fish nu csh tcsh bat cmd vbs vb bas cls frm ahk au3 applescript scpt gd gdshader groovy gradle gvy".split(
    " ",
  ),
  ..."cr pony raku rakumod p6 pm6 vim vimrc m4 ac am cmake bzl bazel star starlark tiltfile just justfile meson ninja".split(
    " ",
  ),
  ..."cue jsonnet libsonnet rego bicep pulumi puppet sls wdl nf smk cwl ipynb".split(" "),
  // Contracts between programs
  ..."thrift avdl capnp fbs idl wsdl xsd xsl xslt xquery xq sparql cypher cql hql prisma dbml asn1 smithy tsp".split(
    " ",
  ),
  // Grammars, and languages that bind others to C
  ..."y yy l lex g4 pest lalrpop lark peg pegjs rl ragel pyx pxd xs tcc".split(" "),
  // Science and mathematics
  ..."mat sas ado sps wl mma stan jags bugs gms lp maxima sage".split(" "),
  // Others with a following
  ..."abap apex trigger cfm cfc p4 move cairo vy hack ex4 mq4 mq5 pine sqf lsl wren squirrel nut monkey".split(
    " ",
  ),
]);

const FILE_NAMES = new Set([
  ..."cmakelists.txt build build.bazel workspace workspace.bazel jenkinsfile meson.build justfile tiltfile procfile".split(
    " ",
  ),
  ..."sconstruct sconscript buck snakefile configure configure.ac configure.in kconfig kbuild earthfile caddyfile".split(
    " ",
  ),
  ..."gradlew mvnw dune rebar.config .vimrc .emacs .tmux.conf nginx.conf".split(" "),
]);

const INTERPRETERS = new Set(
  "awk gawk mawk tclsh wish expect fish csh tcsh nu groovy crystal raku perl6 guile racket sbcl clisp elixir osascript scsh gnuplot octave".split(
    " ",
  ),
);
