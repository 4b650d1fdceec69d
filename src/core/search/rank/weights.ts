/**
 * All numbers of the ranking stage: round values from the middle of a plateau, because the best ones of a small set do
 * not travel. How they were chosen and what each step gives: docs/QUALITY.md.
 * Bonuses are in units of the best score before them; factors multiply.
 */
export const RANK_WEIGHTS = {
  /** Flattens reciprocal ranks: rank 50 still has 18 % of rank 1. */
  fusionK: 10,
  /** Share of the vector list for a question and for a name. */
  meaning: 0.4,
  meaningOfBetterModel: 0.5,
  meaningOfName: 0.2,
  /** How much the keyword score itself counts beside its rank. */
  keywordScore: 0.5,
  coherence: 0.6,
  pathWords: 0.8,
  /** For a file name whose words are all in the question. */
  pathCover: 0.4,
  pathWordsOfName: 0.5,
  /** A question that is a name, and names within a sentence: by their look. */
  definition: 3,
  mentionedIdentifier: 0.5,
  mentionedCapital: 0.2,
  mentionedWord: 0.1,
  /** A name close to one that does not exist. */
  nearestName: 2,
  /** A name with more definitions than this counts less for each. */
  rareDefinitions: 3,
  otherCase: 0.3,
  typeDefinition: 1.2,
  /** For a file that has the name: in many languages a file is a module. */
  module: 3,
  fileOfName: 1.5,
  partFileOfName: 1.3,
  phrase: 1.2,
  /** Each further chunk of a file. */
  saturation: 0.3,
  test: 0.3,
  /** Docs, data, templates, translations, examples, copies of other projects, generated and re-exporting files. */
  notSource: 0.3,
  /** For each directory further down than the file nearest to the root: details lie deeper. */
  depth: 0.9,
  olderVersion: 0.4,
  header: 0.4,
  /** The best hit must be this relevant, or nothing is: for the quick model, whose cosines run high, and for others. */
  floor: 0.28,
  floorOfBetterModel: 0.15,
  /** For what the question asks for by its kind ("test for …"). */
  askedKind: 1.3,
};
export type RankWeights = { readonly [name in keyof typeof RANK_WEIGHTS]: number };
