/**
 * Finding by words and by meaning. Rooms open an index on their own store, put documents into it and search; what is
 * searched, how terms are cut, which model embeds and how two rankings become one is decided here.
 *
 *     const embeddings = openEmbeddings(await machine.config(), machine);
 *     const store = await openStore({ file, migrations: [...searchMigrations("code"), ...ownMigrations] });
 *     const index = openSearchIndex({ store, name: "code", embeddings });
 */
export { type Embeddings, openEmbeddings } from "./embedders/embeddings.ts";
export { loadStaticModel } from "./embedders/static.ts";
export {
  type LineMatch,
  type LinePatternOptions,
  linePattern,
} from "./match/line-pattern.ts";
export { prepareDocuments, transferables, withAttribute } from "./prepare.ts";
export { literalStrengths, literalsOf } from "./rank/literals.ts";
export type { RankWeights } from "./rank/weights.ts";
export { type RankableText, type TextRanker, textRanker } from "./rank-texts.ts";
export type {
  Chunk,
  Filter,
  Hit,
  IndexedDocument,
  ModelIdentity,
  PreparedBatch,
  ScoreBound,
  SearchIndex,
  SearchRequest,
  SearchResult,
} from "./search-index.ts";
export { searchMigrations } from "./segments/tables.ts";
export { openSearchIndex } from "./sqlite-index.ts";
export { isStopWord, meaningfulTerms } from "./text/query.ts";
export { stem } from "./text/stem.ts";
export { partsOf } from "./text/terms.ts";
export type { VectorMaker } from "./vectors/vector-maker.ts";
