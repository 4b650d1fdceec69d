import { asDomainError } from "../errors.ts";
import { LruCache } from "../lru-cache.ts";
import type { Embedder } from "./embedders/embedder.ts";
import type { Embeddings } from "./embedders/embeddings.ts";
import { type IndexView, isSameModel } from "./index-view.ts";
import type { ModelIdentity, SearchRequest } from "./search-index.ts";
import { VectorMatrix } from "./vectors/matrix.ts";

/** The better model answers once it has embedded this share; what is still missing is found by words. */
const ENOUGH = 0.95;

const NO_VECTORS = "This index has no vectors. Index again with embeddings enabled.";

export interface AskedVector {
  readonly vector: Float32Array | undefined;
  readonly matrix: VectorMatrix | undefined;
  /** Why there is no vector, or not one of the model that the user chose; empty if there is. */
  readonly problem: string;
}

/** Turns a query into a vector of the one model that this search will use, and keeps that model's matrix. */
export class QueryVectors {
  readonly #view: IndexView;
  readonly #embeddings: Embeddings;
  readonly #remembered = new LruCache<Float32Array>(200);
  #matrix: VectorMatrix | undefined;

  constructor(view: IndexView, embeddings: Embeddings) {
    this.#view = view;
    this.#embeddings = embeddings;
  }

  async of({ query, signal }: SearchRequest): Promise<AskedVector> {
    let problem = "";
    for (const load of this.#choices()) {
      const embedder = await load();
      if (!embedder) continue;
      try {
        const vector = await this.#embed(embedder, query, signal);
        const { identity } = embedder;
        return { vector, matrix: this.#matrixOf(identity), problem: problem || this.#whyNotChosen(identity) };
      } catch (thrown) {
        signal?.throwIfAborted();
        problem = asDomainError(thrown).message;
      }
    }
    const why = this.#embeddings.problems()[0] ?? (problem || NO_VECTORS);
    return { vector: undefined, matrix: undefined, problem: why };
  }

  #whyNotChosen({ id }: ModelIdentity): string {
    const { chosenId } = this.#embeddings;
    if (chosenId === undefined || chosenId === id) return "";
    const known = this.#embeddings.problems().find((problem) => problem.startsWith(chosenId));
    const embedded = this.#view.coverage().find((model) => model.id === chosenId)?.vectors ?? 0;
    return known ?? `${chosenId} has embedded ${embedded} of ${this.#view.live} chunks.`;
  }

  async active(): Promise<Embedder | undefined> {
    for (const load of this.#choices()) {
      const embedder = await load();
      if (embedder && this.#covers(embedder.identity) > 0) return embedder;
    }
    return undefined;
  }

  /** Best first. The better model is not even loaded before its vectors are enough. */
  #choices(): (() => Promise<Embedder | undefined>)[] {
    this.#view.store.snapshot(() => this.#view.refresh());
    const { betterId } = this.#embeddings;
    const better = async () => {
      const embedder = await this.#embeddings.better();
      return embedder && this.#covers(embedder.identity) >= ENOUGH ? embedder : undefined;
    };
    const quick = async () => {
      const embedder = await this.#embeddings.quick();
      return embedder && this.#covers(embedder.identity) > 0 ? embedder : undefined;
    };
    const isWorthLoading = this.#view.models.some(
      (model) => model.id === betterId && this.#covers(model) >= ENOUGH,
    );
    return isWorthLoading ? [better, quick] : [quick];
  }

  #covers(wanted: ModelIdentity): number {
    if (this.#view.live === 0) return 0;
    const found = this.#view.coverage().find((model) => isSameModel(model, wanted));
    return (found?.vectors ?? 0) / this.#view.live;
  }

  #matrixOf(identity: ModelIdentity): VectorMatrix | undefined {
    const model = this.#view.model(identity);
    if (!model) return undefined;
    // A cleared index numbers its models anew.
    if (this.#matrix?.model.number !== model.number || !isSameModel(this.#matrix.model, model))
      this.#matrix = new VectorMatrix(model);
    return this.#matrix;
  }

  async #embed(
    embedder: Embedder,
    query: string,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array | undefined> {
    const key = `${embedder.identity.sha256}\0${query}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    const vector = embedder.embedAtOnce
      ? await embedder.embedAtOnce(query, signal)
      : (await embedder.embed([query], signal))[0];
    if (vector) this.#remembered.set(key, vector);
    return vector;
  }
}
