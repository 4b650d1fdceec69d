import { Worker } from "node:worker_threads";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { MiniLmSession } from "./minilm-session.ts";

const EmbedReply = z.object({
  id: z.int(),
  vectors: z.array(z.instanceof(Float32Array)).optional(),
  problem: z.string().optional(),
});
type EmbedReply = z.infer<typeof EmbedReply>;

/** A session in a thread of its own. Throws `unavailable` where the model or its runtime does not load there. */
export async function openWorkerSession(file: string, directory?: string): Promise<MiniLmSession> {
  const worker = new Worker(file, { workerData: { directory } });
  const ask = askerOf(worker);
  let last: Promise<unknown> = Promise.resolve();
  const embed = async (texts: readonly string[]) => {
    const answered = ask(texts);
    last = answered;
    const { vectors, problem = "The embedding thread gave nothing." } = await answered;
    if (!vectors) throw new DomainError("unavailable", problem);
    return vectors;
  };
  const close = async () => {
    // Questions are answered in their order. A thread that is ended in the middle of one takes the process with it.
    await last;
    await worker.terminate();
  };
  try {
    await embed(["ready"]);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { embed, close };
}

/** Every question gets an answer, whatever becomes of the thread. */
function askerOf(worker: Worker): (texts: readonly string[]) => Promise<EmbedReply> {
  const waiting = new Map<number, (answer: EmbedReply) => void>();
  let next = 0;
  let ended: string | undefined;
  const end = (problem: string) => {
    ended ??= problem;
    for (const [id, settle] of waiting) settle({ id, problem });
    waiting.clear();
  };
  worker.on("message", (message: unknown) => {
    const answer = EmbedReply.parse(message);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
  });
  worker.on("error", (error) => end(error.message));
  worker.on("exit", () => end("The embedding thread ended."));
  return async (texts) => {
    const id = next++;
    // Nobody is left to answer, and no event would tell so once more.
    if (ended !== undefined) return { id, problem: ended };
    return new Promise((settle) => {
      waiting.set(id, settle);
      worker.ref();
      worker.postMessage({ id, texts });
    });
  };
}
