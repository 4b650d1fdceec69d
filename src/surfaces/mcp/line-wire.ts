import type { Readable, Writable } from "node:stream";
import { readMessage, type WireError, type WireMessage } from "./message.ts";

/** Larger than any real message. A longer line is dropped while it arrives and never kept in memory. */
const LONGEST_LINE = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
/**
 * A script that pipes requests in and closes the pipe still wants the answers. A call that takes longer than this is given
 * up. A client that wants us gone earlier sends a signal, or closes our output, or dies.
 */
const LAST_ANSWERS_MS = 60_000;

interface WireStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly longestLine?: number;
  /** How long running calls may take after the input has ended. */
  readonly lastAnswersMs?: number;
}

/**
 * A transport for the protocol layer: one JSON-RPC message per line, over two streams. The SDK's own transport ignores bad
 * lines and closes the connection at a long one; this one answers each with an error and serves the next line.
 */
export class LineWire {
  onmessage: ((message: WireMessage) => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onclose: (() => void) | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #longest: number;
  readonly #lastAnswersMs: number;
  #parts: Buffer[] = [];
  #length = 0;
  #isTooLong = false;
  #isClosed = false;
  /** Ids of requests without an answer yet. */
  readonly #open = new Set<unknown>();
  #closeTimer: NodeJS.Timeout | undefined;

  constructor({ input, output, longestLine = LONGEST_LINE, lastAnswersMs = LAST_ANSWERS_MS }: WireStreams) {
    this.#input = input;
    this.#output = output;
    this.#longest = longestLine;
    this.#lastAnswersMs = lastAnswersMs;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#read);
    this.#input.once("end", this.#finish);
    this.#input.once("close", this.#finish);
    this.#input.on("error", this.#end);
    this.#output.on("error", this.#end);
    if (this.#input.readableEnded || this.#input.destroyed) this.#end();
  }

  async send(message: WireMessage): Promise<void> {
    if (this.#isClosed) return;
    const isTaken = this.#output.write(`${JSON.stringify(message)}\n`);
    if ("id" in message && !("method" in message)) this.#open.delete(message.id);
    if (this.#closeTimer && this.#open.size === 0) return this.close();
    if (isTaken || this.#input.isPaused()) return;
    // Stop reading requests while the client does not read its answers.
    this.#input.pause();
    this.#output.once("drain", () => this.#isClosed || this.#input.resume());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#closeTimer);
    this.#input.off("data", this.#read);
    this.#input.pause();
    this.#parts = [];
    this.onclose?.();
  }

  readonly #finish = () => {
    if (this.#open.size === 0) return this.#end();
    this.#closeTimer ??= setTimeout(this.#end, this.#lastAnswersMs);
  };

  readonly #end = () => {
    void this.close();
  };

  readonly #read = (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at));
      this.#finishLine();
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
  };

  #take(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#longest) {
      this.#isTooLong = true;
      this.#parts = [];
    } else if (part.length > 0) {
      this.#parts.push(part);
    }
  }

  #finishLine(): void {
    const line = this.#isTooLong ? "too long" : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    const read = line === "too long" ? tooLong(this.#longest) : readMessage(line);
    if (read === undefined || this.#isClosed) return;
    if ("refusal" in read) {
      this.onerror?.(new Error(read.refusal.error.message));
      void this.send(read.refusal);
      return;
    }
    if ("id" in read.message && "method" in read.message) this.#open.add(read.message.id);
    if (this.#isUseful(read.message)) this.onmessage?.(read.message);
  }

  /**
   * The protocol layer validates every notification before it ignores it, which makes a flood of them slow. These two are
   * the only ones that change anything here.
   */
  #isUseful(message: WireMessage): boolean {
    if (!("method" in message) || "id" in message) return true;
    // A cancelled request gets no answer.
    if (message.method === "notifications/cancelled") return this.#open.delete(message.params?.["requestId"]);
    return message.method === "notifications/initialized";
  }
}

const tooLong = (limit: number): { refusal: WireError } => ({
  refusal: {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, message: `Parse error: the line is longer than ${limit} bytes` },
  },
});
