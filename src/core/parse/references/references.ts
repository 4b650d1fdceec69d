import type { Node } from "web-tree-sitter";

export const REFERENCE_KINDS = ["read", "call", "type", "import", "write", "inherit", "annotation"] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** A use of a name that is not local to a function. */
export interface ParsedReference {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  readonly kind: ReferenceKind;
  /**
   * What stands before the dot, as a path from a name of the file: `pkg`, `Store`, `NewStore()`, `Server.store`. A local
   * variable is replaced by its type. `?` if the file does not tell; absent for a name without a dot.
   */
  readonly on?: string;
}

/** A name that a file takes from another module, or passes on under another name. */
export interface ParsedImport {
  /** The name in this file; empty if everything is imported. */
  readonly local: string;
  /** The other module as written; empty for the file itself. */
  readonly from: string;
  /** The name in the other module; `*` for all of them; absent for the module itself. */
  readonly name?: string;
  /** Others can import `local` from this file. */
  readonly isExport?: boolean;
}

export interface FileReferences {
  /** In the order of the source. */
  readonly references: readonly ParsedReference[];
  readonly imports: readonly ParsedImport[];
}

/**
 * How the names of a language are read. `patterns` are tree-sitter queries with these captures:
 *
 *     @name @type @member     a use of a name; `@member` stands after a dot, or belongs to the `@typed` type
 *     @definition @skip       not a use: the name in its own declaration, a label, the name of an argument
 *     @local                  declares a name in the innermost scope, with `@typed` or `@value` if they are written
 *     @hoisted                the same in the innermost function
 *     @above                  the name of a declaration that is itself a scope: declared around it
 *     @parameter              a type parameter: declared in the innermost scope, also in that of a type
 *     @global                 a name that is not local, although it is assigned here
 *     @late                   the statement of a `@local` that is known only after it
 *     @function @scope        nodes with names of their own
 *     @class with @owner      a type's body, and the type's name
 *     @inherit                a base type
 *     @import                 an import statement, for `importsOf`
 *     @export                 the same for a statement whose other names are uses
 */
export interface ReferenceRules {
  readonly patterns: readonly string[];
  /** Words for the object a method is called on. */
  readonly self: readonly string[];
  /** A local name is known in its whole scope, also before its declaration. */
  readonly isHoisted: boolean;
  /** Capitalised names in patterns are not variables. */
  readonly hasUpperCaseConstants?: boolean;
  /** Names of the language itself, which are not worth a place in the index. */
  readonly builtins?: ReadonlySet<string>;
  /** Matches the end of the text before a member. Default: a dot or `::`. */
  readonly memberBefore?: RegExp;
  importsOf(node: Node): readonly ParsedImport[];
  /** The name of a type, as `pkg.Store` of `*pkg.Store[T]`; `undefined` for lists, maps and functions. */
  typeName(text: string): string | undefined;
}
