import { z } from "zod";
import { Config } from "../../../core/config/config.ts";
import { once } from "../../../core/lazy.ts";
import { openEmbeddings } from "../../../core/search/index.ts";

/** All a worker thread must know to make the same vectors as the thread that started it. */
export const ModelChoice = z.object({ home: z.string(), isDisabled: z.boolean() });
export type ModelChoice = z.infer<typeof ModelChoice>;

/** The quick model in a thread of its own. */
export const threadModel = (choice: ModelChoice) =>
  once(async () => {
    const provider = choice.isDisabled ? "disabled" : "static";
    const config = Config.parse({ embedding: { provider } });
    return openEmbeddings(config, { home: choice.home, env: {}, now: () => new Date() }).quick();
  });
