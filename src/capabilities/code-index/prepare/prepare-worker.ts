import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { Config } from "../../../core/config/config.ts";
import { once } from "../../../core/lazy.ts";
import { openEmbeddings, transferables } from "../../../core/search/index.ts";
import { type FileBatch, type PreparedFiles, prepareFiles } from "./prepare-files.ts";

/** What a worker thread needs to make the same vectors as the thread that started it. */
const WorkerModel = z.object({ home: z.string(), isDisabled: z.boolean() });
export type WorkerModel = z.infer<typeof WorkerModel>;
const PrepareRequest = z.object({ number: z.number(), batch: z.custom<FileBatch>() });
export type PrepareRequest = z.infer<typeof PrepareRequest>;
export interface PrepareResponse {
  readonly number: number;
  readonly prepared?: PreparedFiles;
  readonly error?: string;
}

const { home, isDisabled } = WorkerModel.parse(workerData);
const model = once(async () => {
  const config = Config.parse({ embedding: { provider: isDisabled ? "disabled" : "static" } });
  return openEmbeddings(config, { home, env: {}, now: () => new Date() }).quick();
});

parentPort?.on("message", (message: unknown) => {
  void respond(PrepareRequest.parse(message));
});

async function respond({ number, batch }: PrepareRequest): Promise<void> {
  try {
    const prepared = await prepareFiles(batch, await model());
    const buffers = prepared.files
      .flatMap(({ content, names }) => [
        ...content.flatMap(({ packed, trigrams }) => [packed.buffer, trigrams.buffer]),
        names.buffer,
      ])
      .filter((buffer) => buffer instanceof ArrayBuffer);
    send({ number, prepared }, [...transferables(prepared.batch), ...buffers]);
  } catch (thrown) {
    send({ number, error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }, []);
  }
}

const send = (message: PrepareResponse, transfer: ArrayBuffer[]) =>
  parentPort?.postMessage(message, transfer);
