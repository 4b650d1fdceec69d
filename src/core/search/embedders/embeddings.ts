import type { Config } from "../../config/config.ts";
import { asDomainError } from "../../errors.ts";
import { once } from "../../lazy.ts";
import type { VectorMaker } from "../vectors/vector-maker.ts";
import type { Embedder } from "./embedder.ts";
import { VectorCache } from "./vector-cache.ts";

export interface EmbeddingsOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): Date;
  /** Where the shipped models are; default: the package's own folder. */
  readonly models?: string;
}

/**
 * The models of this machine by its configuration: a quick one that is called for every chunk at once, and a better one
 * that follows in the background. Both are loaded when first needed; what cannot be loaded is a problem, never a throw.
 */
export interface Embeddings {
  /** The quick model; `undefined` where embeddings are disabled or its file is missing or altered. */
  quick(): Promise<(VectorMaker & Embedder) | undefined>;
  /** The better model's id, known without loading it. */
  readonly betterId: string | undefined;
  better(): Promise<Embedder | undefined>;
  /** Vectors of the better model, kept for all projects. */
  readonly cache: VectorCache;
  /** What could not be had and why, as far as it was tried; `probe` tries everything. */
  problems(): readonly string[];
  probe(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function openEmbeddings(
  { embedding }: Pick<Config, "embedding">,
  options: EmbeddingsOptions,
): Embeddings {
  const problems = new Map<string, string>();
  const attempt = <T>(what: string, load: () => Promise<T>) =>
    once(async (): Promise<T | undefined> => {
      try {
        const loaded = await load();
        problems.delete(what);
        return loaded;
      } catch (thrown) {
        problems.set(what, `${what}: ${asDomainError(thrown).message}`);
        return undefined;
      }
    });
  const quick = attempt("static", async () => {
    const { loadStaticModel } = await import("./static.ts");
    return loadStaticModel(options.models);
  });
  const choice = betterChoice(embedding, options);
  const better = attempt(choice?.id ?? "none", async () => choice?.load());
  const isDisabled = embedding.provider === "disabled";
  const cache = new VectorCache(options);
  return {
    quick: isDisabled ? async () => undefined : quick,
    betterId: choice?.id,
    better: choice ? better : async () => undefined,
    cache,
    problems: () => [...problems.values()],
    async probe() {
      if (!isDisabled) await Promise.all([quick(), choice ? better() : undefined]);
      return [...problems.values()];
    },
    async close() {
      cache.close();
      if (choice?.wasAsked()) await (await better())?.close();
    },
  };
}

interface Choice {
  readonly id: string;
  load(): Promise<Embedder>;
  wasAsked(): boolean;
}

function betterChoice(embedding: Config["embedding"], options: EmbeddingsOptions): Choice | undefined {
  let asked = false;
  const choice = (id: string, load: () => Promise<Embedder>): Choice => ({
    id,
    wasAsked: () => asked,
    load: () => {
      asked = true;
      return load();
    },
  });
  switch (embedding.provider) {
    case "auto":
    case "minilm":
      return choice("minilm", async () => (await import("./minilm.ts")).openMiniLm(options.models));
    case "openai":
    case "ollama": {
      const { provider } = embedding;
      const id = `${provider}/${embedding.model ?? "default"}`;
      return choice(id, async () =>
        (await import("./remote.ts")).openRemote(id, { ...embedding, provider }, options.env),
      );
    }
    case "static":
    case "disabled":
      return undefined;
  }
}
