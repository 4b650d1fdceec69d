import type { Config } from "../../config/config.ts";
import { asDomainError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { VectorMaker } from "../vectors/vector-maker.ts";
import type { Embedder } from "./embedder.ts";
import { VectorCache } from "./vector-cache.ts";

interface EmbeddingsOptions {
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
  /** The same, if the user chose this model: then a person waits for it, and an answer of another model says so. */
  readonly chosenId: string | undefined;
  /** Tried once a minute: while a provider is down, every search would wait for it anew. */
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
  const noted = { problems, now: () => options.now().getTime() };
  const quick = kept("static", noted, async () => {
    const { loadStaticModel } = await import("./static.ts");
    return loadStaticModel(options.models);
  });
  const choice = betterChoice(embedding, options);
  const better = choice && kept(choice.id, noted, choice.load);
  const cache = new VectorCache(options);
  return {
    quick: async () => (isDisabled ? undefined : quick.get()),
    betterId: choice?.id,
    chosenId: embedding.provider === "auto" ? undefined : choice?.id,
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
      await (await better?.made())?.close();
    },
  };
}

const AGAIN_AFTER_MS = 60_000;

/** What was loaded, or nothing where it could not be: then the problem is noted, and after a while it is tried again. */
function kept<T>(
  what: string,
  { problems, now }: { readonly problems: Map<string, string>; now(): number },
  load: (isBrief: boolean) => Promise<T>,
) {
  let made: Promise<T | undefined> | undefined;
  let failedAt: number | undefined;
  const make = async (isBrief: boolean): Promise<T | undefined> => {
    try {
      const loaded = await load(isBrief);
      problems.delete(what);
      return loaded;
    } catch (thrown) {
      problems.set(what, `${what}: ${asDomainError(thrown).message}`);
      failedAt = now();
      return undefined;
    }
  };
  const get = (isBrief: boolean) => {
    if (failedAt !== undefined && now() - failedAt >= AGAIN_AFTER_MS) made = undefined;
    if (made === undefined) failedAt = undefined;
    made ??= make(isBrief);
    return made;
  };
  return {
    get: () => get(true),
    async getAgain() {
      const before = made;
      if ((await before) === undefined && made === before) made = undefined;
      return get(false);
    },
    /** What there is, without trying. */
    made: async () => made,
  };
}

interface EmbedderChoice {
  readonly id: string;
  /** `isBrief` where somebody waits for it. */
  readonly load: (isBrief: boolean) => Promise<Embedder>;
}

function betterChoice(
  embedding: Config["embedding"],
  options: EmbeddingsOptions,
): EmbedderChoice | undefined {
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
        async load(isBrief) {
          const { openRemote } = await import("./remote.ts");
          return openRemote(id, { ...embedding, provider }, { env: options.env, isBrief });
        },
      };
    }
    case "static":
    case "disabled":
      return undefined;
  }
}
