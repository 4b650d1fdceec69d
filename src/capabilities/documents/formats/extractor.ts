import { existsSync } from "node:fs";
import { openThread } from "../answering-thread.ts";
import { type ExtractRequest, extract } from "./extract.ts";
import { type Extraction, isPlain } from "./format.ts";

export interface Extractor {
  extract(request: ExtractRequest): Promise<Extraction>;
  close(): Promise<void>;
}
interface ExtractorOptions {
  readonly deadlineMs?: number;
  /** The built worker. When run from source, or in a bundle without workers, this thread does the work. */
  readonly worker?: URL | undefined;
}

const isBuilt = !import.meta.url.endsWith(".ts");
const WORKER = new URL("./workers/documents-extract.js", import.meta.url);
const BUILT_WORKER = isBuilt && existsSync(WORKER) ? WORKER : undefined;
/** Text up to this size is read faster here than it is sent to another thread. */
const SMALL_TEXT_BYTES = 256 * 1024;

/** Reads rich formats and large texts in a worker thread, which is ended at the deadline: only that file is lost. */
export function openExtractor({
  deadlineMs = 30_000,
  worker = BUILT_WORKER,
}: ExtractorOptions = {}): Extractor {
  const thread = worker && openThread<ExtractRequest, Extraction>({ file: worker, deadlineMs });
  let last: Promise<unknown> = Promise.resolve();
  return {
    async extract(request) {
      if (isSmallText(request)) return extract(request);
      if (thread) {
        const found = await thread.ask(request, wholeBuffer(request.bytes));
        return "lost" in found ? { unreadable: found.lost } : found.answer;
      }
      const turn = last.then(() => inTime(request, deadlineMs));
      last = turn.catch(() => undefined);
      return turn;
    },
    close: async () => thread?.close(),
  };
}

const isSmallText = ({ format, bytes }: ExtractRequest): boolean =>
  format === "api" || (isPlain(format) && bytes.length <= SMALL_TEXT_BYTES);

/** The bytes are moved, not copied; the caller is done with them. */
function wholeBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

async function inTime(request: ExtractRequest, deadlineMs: number): Promise<Extraction> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Extraction>((settle) => {
    const late = { unreadable: `took longer than ${deadlineMs / 1_000} s to read` };
    timer = setTimeout(() => settle(late), deadlineMs);
  });
  try {
    return await Promise.race([extract(request), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
