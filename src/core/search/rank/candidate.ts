/** A chunk that the lists found, as plain data: the ranking stage reads nothing else. */
export interface RankCandidate {
  /** Number of the chunk in its index. */
  readonly chunk: number;
  /** The same for all chunks of one file. */
  readonly document: number;
  readonly path: string;
  /** Kind of its symbol: `function`, `class`, `file` … */
  readonly kind: string;
  /** What it is apart from its path: a test beside the code it tests, or a function that is only declared here. */
  readonly role: ChunkRole | undefined;
  /** The same for all parts of one long function of the file; empty for any other chunk. */
  readonly longFunction: string;
  /** From 1; `undefined` if the list does not hold it. */
  readonly keywordRank: number | undefined;
  readonly vectorRank: number | undefined;
  readonly keywordScore: number;
  /** Names of the question that this chunk defines. */
  readonly defines: readonly DefinedName[];
  /** Above 0 if it holds a literal part of the question, such as quoted text; 1 if few chunks do. */
  readonly phrase: number;
}

export type ChunkRole = "test" | "declaration";

export interface DefinedName {
  readonly name: AskedName;
  /** Whether upper and lower case are the same too. */
  readonly isLiteral: boolean;
  /** How many chunks of the index define it. */
  readonly definitions: number;
}

/** A part of the question that may be the name of a symbol. */
export interface AskedName {
  readonly text: string;
  /** `whole` is the entire question, `nearest` a name close to it if there is none such; the others are parts of it. */
  readonly look: "whole" | "nearest" | "identifier" | "capital" | "word";
}

/** What a step gave one candidate: `bonus` is added in units of the best score, `factor` multiplies. */
export interface RankStep {
  readonly step: string;
  readonly bonus?: number;
  readonly factor?: number;
}
