import type { ModuleRules } from "./references/modules.ts";
import type { ReferenceRules } from "./references/references.ts";
import type { PatternTable, Rules } from "./rules.ts";

/** How a language is recognised, and how its symbols are read. Each folder of `languages/` exports one. */
export type Language<Id extends string = string> = LanguageNames<Id> & {
  /** As people write it: `C#`. */
  readonly name: string;
} & LanguageReader;

/** How files of a language are recognised. */
export interface LanguageNames<Id extends string = string> {
  readonly id: Id;
  /** Without the dot, in lower case. */
  readonly extensions: readonly string[];
  /** Whole file names, such as `Makefile`, in lower case. */
  readonly fileNames?: readonly string[];
  /** Programs that a `#!` line names. */
  readonly interpreters?: readonly string[];
  /** Prose and data: outlined, but a directory with nothing else holds no source code. */
  readonly isDocument?: boolean;
}

type LanguageReader =
  /** A tree-sitter grammar, named by its file in a package of grammars. */
  | {
      readonly grammar: string;
      readonly rules: Rules;
      /** How uses of names are read. Default: by rules that fit most languages. */
      readonly references?: ReferenceRules;
      /** Where a parameter has its name, if the language has no `references`: a node and a field, or `.` for its first child. */
      readonly parameters?: readonly string[];
      /** How imports are resolved. Default: names are only compared. */
      readonly modules?: ModuleRules;
      readonly delegate?: Delegate;
    }
  /** Definition patterns, for languages without a grammar we can load. */
  | { readonly patterns: PatternTable }
  /** A file whose code is written in another language, such as a Vue component. */
  | { readonly delegate: Delegate };

interface Delegate {
  /** Ids of the languages that may be asked. */
  readonly to: readonly string[];
  find(text: string): DelegatedCode | undefined;
}

/** Code that another language reads. */
export interface DelegatedCode {
  readonly language: string;
  /** All lines of the file; those outside of the code are blank, so that line numbers stay. */
  readonly text: string;
}

export const defineLanguage = <const Id extends string>(language: Language<Id>): Language<Id> => language;
