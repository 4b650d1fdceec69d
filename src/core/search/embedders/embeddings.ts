import type { Config } from "../../config/config.ts";
import { asDomainError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { VectorMaker } from "../vectors/vector-maker.ts";
import type { Embedder } from "./embedder.ts";
import { VectorCache } from "./vector-cache.ts";

export interface EmbeddingsOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): Date;
  readonly logger?: Logger;
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
  /** Tried once: while a provider is down, every search would wait for it anew. */
  better(): Promise<Embedder | undefined>;
  /** The same, tried again where it failed before: for work that nobody waits for. */
  retriedBetter(): Promise<Embedder | undefined>;
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
  const isDisabled = embedding.provider === "disabled";
  const quick = kept("static", problems, async () => {
    const { loadStaticModel } = await import("./static.ts");
    return loadStaticModel(options.models);
  });
  const choice = betterChoice(embedding, options);
  const better = choice && kept(choice.id, problems, choice.load);
  const cache = new VectorCache(options);
  return {
    quick: async () => (isDisabled ? undefined : quick.get()),
    betterId: choice?.id,
    better: async () => better?.get(),
    retriedBetter: async () => better?.getAgain(),
    cache,
    problems: () => [...problems.values()],
    async probe() {
      if (!isDisabled) await Promise.all([quick.get(), better?.get()]);
      return [...problems.values()];
    },
    async close() {
      await cache.close();
      if (better?.wasAsked()) await (await better.get())?.close();
    },
  };
}

/** What was loaded, or nothing where it could not be: then the problem is noted. */
function kept<T>(what: string, problems: Map<string, string>, load: () => Promise<T>) {
  let made: Promise<T | undefined> | undefined;
  const make = async (): Promise<T | undefined> => {
    try {
      const loaded = await load();
      problems.delete(what);
      return loaded;
    } catch (thrown) {
      problems.set(what, `${what}: ${asDomainError(thrown).message}`);
      return undefined;
    }
  };
  const get = () => {
    made ??= make();
    return made;
  };
  return {
    get,
    async getAgain() {
      const before = made;
      if ((await before) === undefined && made === before) made = undefined;
      return get();
    },
    wasAsked: () => made !== undefined,
  };
}

interface Choice {
  readonly id: string;
  readonly load: () => Promise<Embedder>;
}

function betterChoice(embedding: Config["embedding"], options: EmbeddingsOptions): Choice | undefined {
  switch (embedding.provider) {
    case "auto":
    case "minilm":
      return {
        id: "minilm",
        load: async () => (await import("./minilm.ts")).openMiniLm(options.models),
      };
    case "openai":
    case "ollama": {
      const { provider } = embedding;
      const id = `${provider}/${embedding.model ?? "default"}`;
      return {
        id,
        load: async () =>
          (await import("./remote.ts")).openRemote(id, { ...embedding, provider }, { env: options.env }),
      };
    }
    case "static":
    case "disabled":
      return undefined;
  }
}
