import { Worker } from "node:worker_threads";

type ThreadAnswer<Answer> = { readonly answer: Answer } | { readonly lost: string };
interface AnsweringThread<Request, Answer> {
  /** One request at a time. A thread that is late or dies is ended; the next request starts a new one. */
  ask(request: Request, transfer?: readonly ArrayBuffer[]): Promise<ThreadAnswer<Answer>>;
  close(): Promise<void>;
}
interface ThreadOptions {
  readonly file: URL;
  readonly deadlineMs: number;
  readonly data?: unknown;
}

/** Ends a thread that takes gigabytes before the process dies of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1_024 } as const;

/**
 * A worker thread for work on foreign bytes, which may take long or use up the memory: then only that request is lost.
 * Meanwhile this thread stays free for signals and other calls.
 */
export function openThread<Request, Answer>({
  file,
  deadlineMs,
  data,
}: ThreadOptions): AnsweringThread<Request, Answer> {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const close = async () => {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  };
  const start = () =>
    // An error while it is being ended must not end the process.
    new Worker(file, { resourceLimits: RESOURCE_LIMITS, workerData: data }).on("error", () => {});
  const askNow = async (request: Request, transfer: readonly ArrayBuffer[]) => {
    if (isClosed) return { lost: "its reader ended" };
    thread ??= start();
    const answer = await answerOf<Answer>(thread, deadlineMs, (to) => to.postMessage(request, [...transfer]));
    if ("lost" in answer) await close();
    return answer;
  };
  return {
    ask(request, transfer = []) {
      const turn = last.then(() => askNow(request, transfer));
      last = turn.catch(() => undefined);
      return turn;
    },
    close() {
      isClosed = true;
      return close();
    },
  };
}

function answerOf<Answer>(
  thread: Worker,
  deadlineMs: number,
  send: (thread: Worker) => void,
): Promise<ThreadAnswer<Answer>> {
  return new Promise((settle) => {
    const done = (answer: ThreadAnswer<Answer>) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle(answer);
    };
    const onMessage = (answer: Answer) => done({ answer });
    const onError = () => done({ lost: "too large to read in memory" });
    const onExit = () => done({ lost: "its reader ended" });
    const timer = setTimeout(
      () => done({ lost: `took longer than ${deadlineMs / 1_000} s to read` }),
      deadlineMs,
    );
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
    send(thread);
  });
}
