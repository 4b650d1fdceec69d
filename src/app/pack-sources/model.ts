import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Embedder } from "../../core/search/embedders/embedder.ts";

/** The quick model that ranks handfuls of texts; `undefined` where embeddings are off or its file is missing. */
export type QuickModel = () => Promise<Pick<Embedder, "embed"> | undefined>;

export const quickModel = (machine: Machine): QuickModel =>
  once(async () => {
    const { openEmbeddings } = await import("../../core/search/index.ts");
    return openEmbeddings(await machine.config(), machine).quick();
  });
