import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { transferables } from "../../../core/search/index.ts";
import { prepareFiles, type Task } from "./prepare-files.ts";
import { ModelChoice, threadModel } from "./vector-model.ts";
import type { Answer } from "./worker-pool.ts";

/** A worker thread: batches of files in, prepared batches out. */
const model = threadModel(ModelChoice.parse(workerData));
const Envelope = z.object({ number: z.number(), task: z.custom<Task>() });

parentPort?.on("message", (message: unknown) => {
  const { number, task } = Envelope.parse(message);
  void answer(number, task);
});

async function answer(number: number, task: Task): Promise<void> {
  try {
    const prepared = await prepareFiles(task, await model());
    const buffers = prepared.files
      .flatMap(({ content }) => content.map(({ packed }) => packed.buffer))
      .filter((buffer) => buffer instanceof ArrayBuffer);
    send({ number, prepared }, [...transferables(prepared.batch), ...buffers]);
  } catch (thrown) {
    send({ number, error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }, []);
  }
}

const send = (message: Answer, transfer: ArrayBuffer[]) => parentPort?.postMessage(message, transfer);
