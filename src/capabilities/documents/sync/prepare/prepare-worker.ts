import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { Config } from "../../../../core/config/config.ts";
import { once } from "../../../../core/lazy.ts";
import { openEmbeddings, transferables } from "../../../../core/search/index.ts";
import { type PrepareDraftsRequest, prepareDrafts } from "./prepare-drafts.ts";

/** What this thread needs to make the same vectors as the thread that started it. */
const { home, isDisabled } = z.object({ home: z.string(), isDisabled: z.boolean() }).parse(workerData);

const model = once(async () => {
  const config = Config.parse({ embedding: { provider: isDisabled ? "disabled" : "static" } });
  return openEmbeddings(config, { home, env: {}, now: () => new Date() }).quick();
});

/** Answers one request at a time; the caller ends the thread if an answer is late. */
parentPort?.on("message", async (request: PrepareDraftsRequest) => {
  const prepared = prepareDrafts(request, await model());
  parentPort?.postMessage(prepared, transferables(prepared.batch));
});
