import { Worker } from "node:worker_threads";
import { type ExtractRequest, extract } from "./extract.ts";
import type { Extraction } from "./format.ts";

export interface Extractor {
  extract(request: ExtractRequest): Promise<Extraction>;
  close(): Promise<void>;
}
interface ExtractorOptions {
  readonly deadlineMs?: number;
  /** The built worker. When run from source there is none, and this thread does the work. */
  readonly worker?: URL | undefined;
}

const isBuilt = !import.meta.url.endsWith(".ts");
const BUILT_WORKER = isBuilt ? new URL("./workers/documents-extract.js", import.meta.url) : undefined;

/**
 * Reads rich formats in a worker thread, because a hostile file may keep a parser busy or use up the memory: the thread
 * is ended at the deadline, and only that file is lost. Plain text is read in this thread.
 */
export function openExtractor({
  deadlineMs = 30_000,
  worker = BUILT_WORKER,
}: ExtractorOptions = {}): Extractor {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = async () => {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  };
  const inThread = async (file: URL, request: ExtractRequest) => {
    thread ??= startThread(file);
    const answer = await askThread(thread, request, deadlineMs);
    if (answer.isLost) await end();
    return answer.extraction;
  };
  return {
    extract(request) {
      if (request.format === "text" || request.format === "markdown") return extract(request);
      const turn = last.then(() => (worker ? inThread(worker, request) : inTime(request, deadlineMs)));
      last = turn.catch(() => undefined);
      return turn;
    },
    close: end,
  };
}

function startThread(file: URL): Worker {
  const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 1_024 } });
  // An error while it is being ended must not end the process.
  return thread.on("error", () => {});
}

interface ExtractAnswer {
  readonly extraction: Extraction;
  /** The thread did not answer and cannot be used again. */
  readonly isLost: boolean;
}

const late = (deadlineMs: number): Extraction => ({
  unreadable: `took longer than ${deadlineMs / 1_000} s to read`,
});

function askThread(thread: Worker, request: ExtractRequest, deadlineMs: number): Promise<ExtractAnswer> {
  return new Promise((settle) => {
    const done = (extraction: Extraction, isLost: boolean) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle({ extraction, isLost });
    };
    const onMessage = (extraction: Extraction) => done(extraction, false);
    const onError = () => done({ unreadable: "too large to read in memory" }, true);
    const onExit = () => done({ unreadable: "its reader ended" }, true);
    const timer = setTimeout(() => done(late(deadlineMs), true), deadlineMs);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
    // The bytes are moved, not copied; the caller is done with them.
    const { buffer, byteLength } = request.bytes;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    thread.postMessage(request, isWhole ? [buffer] : []);
  });
}

async function inTime(request: ExtractRequest, deadlineMs: number): Promise<Extraction> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Extraction>((settle) => {
    timer = setTimeout(() => settle(late(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([extract(request), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
