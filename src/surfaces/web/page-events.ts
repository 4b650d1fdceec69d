import type { App } from "../../core/room-offer.ts";
import type { CallLog } from "../call-log.ts";
import { SAFE_HEADERS } from "./page-files.ts";
import { toolCaller } from "./tool-caller.ts";

type PageEvent = "hello" | "status" | "call" | "progress";
type SendBytes = (bytes: Uint8Array) => void;

const STATUS_MS = 1_500;
const ALIVE_MS = 15_000;
/** A page that does not read is dropped, so that its events do not pile up. */
const MAX_QUEUED = 1_000;

const encoder = new TextEncoder();
const ALIVE = encoder.encode(": alive\n\n");
const encoded = (event: PageEvent, data: unknown) =>
  encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

/** What happens in the server, told to every open page. Nothing is watched while no page is open. */
export class PageEvents {
  readonly #app: App;
  readonly #calls: CallLog;
  readonly #pages = new Set<SendBytes>();
  #watch: NodeJS.Timeout | undefined;
  #unfollow = () => {};
  #lastStatus = "";

  constructor(app: App, calls: CallLog) {
    this.#app = app;
    this.#calls = calls;
  }

  /** All pages share the bytes, so that slow ones do not keep a copy each. */
  send(event: PageEvent, data: unknown): void {
    const bytes = encoded(event, data);
    for (const tell of this.#pages) tell(bytes);
  }

  /** Server-sent events until the page leaves. */
  stream(signal: AbortSignal): Response {
    let leave = () => {};
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const tell: SendBytes = (bytes) => {
            if ((controller.desiredSize ?? 0) < -MAX_QUEUED) leave();
            else controller.enqueue(bytes);
          };
          const alive = setInterval(() => tell(ALIVE), ALIVE_MS).unref();
          let isOpen = true;
          leave = () => {
            if (!isOpen) return;
            isOpen = false;
            clearInterval(alive);
            this.#remove(tell);
            controller.close();
          };
          signal.addEventListener("abort", () => leave(), { once: true });
          tell(encoded("hello", { started: true }));
          this.#add(tell);
        },
        cancel: () => leave(),
      },
      { highWaterMark: 64 },
    );
    return new Response(body, {
      headers: { ...SAFE_HEADERS, "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
    });
  }

  #add(tell: SendBytes): void {
    if (this.#pages.size === 0) this.#unfollow = this.#calls.follow((call) => this.send("call", call));
    this.#pages.add(tell);
    this.#lastStatus = "";
    void this.#tellStatus();
    this.#watch ??= setInterval(() => void this.#tellStatus(), STATUS_MS).unref();
  }

  #remove(tell: SendBytes): void {
    this.#pages.delete(tell);
    if (this.#pages.size > 0) return;
    this.#unfollow();
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  async #tellStatus(): Promise<void> {
    const { root } = this.#app.machine;
    const status = await toolCaller(this.#app)
      .ask("get_status", { path: root })
      .catch((thrown: unknown) => ({ problem: thrown instanceof Error ? thrown.message : "unknown" }));
    const text = JSON.stringify(status);
    if (text === this.#lastStatus) return;
    this.#lastStatus = text;
    this.send("status", status);
  }
}
