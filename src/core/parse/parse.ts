export type LanguageId = "go" | "typescript" | "tsx" | "javascript" | "python" | "rust" | "java";

export interface ParsedSymbol {
  readonly name: string;
  readonly kind: string;
  /** The declaration's head on one line, without its body. */
  readonly signature: string;
  /** The doc comment's text without comment marks; empty where there is none. */
  readonly doc: string;
  /** 1-based, without the doc comment. */
  readonly startLine: number;
  readonly endLine: number;
  /** First line of the doc comment, or startLine. */
  readonly docStartLine: number;
  readonly exported: boolean;
  /** The type a method belongs to, the class of a member. */
  readonly parent?: string;
  /** Go: the receiver as written, e.g. `*Store[T]`. */
  readonly receiver?: string;
  /** Lines where a long body may be cut: the first line of each statement inside. */
  readonly cuts: readonly number[];
}
export interface ParseProblem {
  readonly line: number;
  readonly message: string;
}
export interface ParsedFile {
  readonly language: LanguageId;
  /** Go: the package clause. */
  readonly packageName?: string;
  /** Comment that documents the file, module or package. */
  readonly doc: string;
  /** What the file imports, as written. */
  readonly imports: readonly string[];
  readonly symbols: readonly ParsedSymbol[];
  readonly problems: readonly ParseProblem[];
}
