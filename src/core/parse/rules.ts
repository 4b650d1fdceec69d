import type { Node } from "web-tree-sitter";

/** One declaration that a language's rules recognised in a node. */
export interface Declaration {
  readonly name: string;
  readonly kind: string;
  readonly exported: boolean;
  /** Where the body starts: the head before it is the signature. Default: the end of the node. */
  readonly body?: Node | null;
  /** Where the head starts, if not with the node: after decorators, for instance. */
  readonly head?: Node;
  /** Written instead of the head. */
  readonly signature?: string;
  /** Where the symbol ends, if not with the node. */
  readonly end?: Node;
  readonly doc?: string;
  readonly parent?: string;
  readonly receiver?: string;
  /** A body whose declarations are symbols too, with this symbol as their parent. */
  readonly members?: Node | null;
  /** Only tests run it, though its file is not one of tests. */
  readonly isTest?: boolean;
  /** A function without its body, which is elsewhere. */
  readonly isDeclaredOnly?: boolean;
  /** What members name as their parent, if not this symbol. */
  readonly memberParent?: string;
}

/** A node that only holds declarations. */
export interface Holder {
  readonly inside: readonly Node[];
  /** A parenthesised block, whose comment serves those of its members that have none. */
  readonly isGroup?: boolean;
  readonly parent?: string;
  /** Nobody outside of the file reaches what stands in it, whatever its own visibility. */
  readonly isHidden?: boolean;
  /** What stands in it is for tests only. */
  readonly isTest?: boolean;
}

/** Members that are names of their holder only: a field of a struct, a method that an interface asks for. */
export interface MemberNames {
  readonly names: readonly MemberName[];
}
export interface MemberName {
  readonly name: string;
  /** As of a symbol. */
  readonly kind: string;
  readonly exported: boolean;
}

/** What a node declares; `undefined` if nothing. */
export type Declared = readonly Declaration[] | Holder | MemberNames | undefined;

/** What surrounds the node in question. */
export interface Place {
  readonly text: string;
  readonly parent?: string;
  /** The kind of the symbol that is the parent; `undefined` for a parent that only a holder names. */
  readonly parentKind?: string;
  /** Within a holder that hides what it holds. */
  readonly isHidden?: boolean;
  /** Within a holder for tests. */
  readonly isTest?: boolean;
  /** The node that holds the declaration, where that is not the whole file. */
  readonly holder?: Node;
}

/** A name that a file exports apart from where it is declared. */
export interface ExportedName {
  /** `*` for all that another module exports; `default` as scripts mean it. */
  readonly name: string;
  /** Its name where it is declared; absent for what is written where it is exported. */
  readonly declared?: string;
  /** The other module it comes from, as written. */
  readonly from?: string;
  /** Of a function among those. */
  readonly signature?: string;
  readonly line: number;
}

export interface Exports {
  readonly names: readonly ExportedName[];
  /** Nothing else is exported, whatever its own declaration says. */
  readonly isWhole?: boolean;
}

/** All that differs between languages: which nodes declare what. */
export interface Rules {
  /** Node types that are comments. */
  readonly comments: ReadonlySet<string>;
  /** Node types that may stand between a doc comment and its declaration, such as attributes. */
  readonly between?: ReadonlySet<string>;
  /** Nodes of a general type that may stand there too. */
  isBetween?(node: Node, type: string): boolean;
  /** Whether a blank line always parts a comment from what follows; else a doc block may stand one line above. */
  readonly hasTightDocs?: boolean;
  /** Whether an error in the tree is a fault of the source. Default: always. Some grammars lag behind their language. */
  isFault?(error: Node): boolean;
  /** Finds definitions by their lines in a file that the grammar lost its way in. */
  readonly recovery?: PatternTable;
  /** Go's rule for a doc comment's text where it differs from the common one. */
  docText?(comments: readonly string[]): string;
  /** A comment inside the head would swallow the rest of a one-line signature. */
  readonly commentStarts: RegExp;
  /** The text as the grammar reads it, of the same length. For what a preprocessor would take out. */
  prepare?(text: string): string;
  declares(node: Node, type: string, place: Place): Declared;
  /** What the node tells about the file. */
  header?(node: Node, type: string, place: Place): FileFact | undefined;
  /** What a file imports by calls among its other code. */
  loads?(nodes: readonly Node[], text: string): readonly string[];
  /** What the nodes at the top of a file export apart from declaring it. */
  exports?(nodes: readonly Node[], text: string): Exports;
  /** The file's own documentation, where it is no comment above the package clause. */
  fileDoc?(root: Node, comments: readonly Node[]): string;
}
export interface FileFact {
  readonly packageName?: string;
  readonly imports?: readonly string[];
}

/** One kind of definition, recognised by the line it starts on. */
export interface DefinitionPattern {
  readonly kind: string;
  /** Matched against one line; must be linear in its length. Groups: `name`, and `parent` if the line names it. */
  readonly match: RegExp;
  /** Definitions inside get this one as their parent. */
  readonly isHolder?: boolean;
  /** Only at the top of the file or directly in a holder of one of these kinds. */
  readonly within?: readonly string[];
  /** The name is a list of names, such as the targets of one rule. */
  readonly isList?: boolean;
  readonly extent?: Extent;
  readonly exported?: (line: string) => boolean;
}

/**
 * Where a definition ends: on its line; where its brackets close; before a line that is indented no deeper;
 * before the next definition of the same or a higher level; or on a line that matches.
 */
export type Extent = "line" | "brackets" | "indent" | "next" | RegExp;

export interface PatternTable {
  readonly definitions: readonly DefinitionPattern[];
  /** A line that is only a comment. */
  readonly comment?: RegExp;
  /** Comments over several lines: how they start and end. */
  readonly block?: { readonly start: RegExp; readonly end: RegExp; readonly isCode?: boolean };
  /** Marks of doc comments that other languages do not have. */
  readonly docMarks?: RegExp;
  /** Text over several lines that starts in a line of code. Nothing is defined in it. */
  readonly text?: { readonly start: RegExp; readonly end: RegExp };
  /** Lines that may stand between a comment and its definition. */
  readonly between?: RegExp;
  /** Marks around quoted text, in which nothing ends; with the flag `g`. */
  readonly quote?: RegExp;
  /** A line that closes a definition by indentation and belongs to it, such as `end`. */
  readonly closes?: RegExp;
  readonly extent: Extent;
  /** The rank of a heading: lower ranks hold higher ones. */
  readonly level?: (line: string) => number;
}
