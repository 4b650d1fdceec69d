import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { asDomainError } from "../../errors.ts";
import { once } from "../../lazy.ts";
import { openMiniLmSession } from "../embedders/minilm-session.ts";

const Options = z.object({ directory: z.string().optional() });
const Question = z.object({ id: z.int(), texts: z.array(z.string()) });

const session = once(() => openMiniLmSession(Options.parse(workerData).directory));
let last: Promise<unknown> = Promise.resolve();

parentPort?.on("message", (message: unknown) => {
  const { id, texts } = Question.parse(message);
  last = last.then(async () => {
    try {
      const vectors = await (await session()).embed(texts);
      parentPort?.postMessage({ id, vectors });
    } catch (thrown) {
      parentPort?.postMessage({ id, problem: asDomainError(thrown).message });
    }
  });
});
