import type { App } from "../../core/room-offer.ts";
import type { CallLog } from "../call-log.ts";
import { SAFE_HEADERS } from "./page-files.ts";
import { toolCaller } from "./tool-caller.ts";

type PageEvent = "hello" | "status" | "call" | "progress";
type SendEvent = (event: PageEvent, data: unknown) => void;

const STATUS_MS = 1_500;
const ALIVE_MS = 15_000;
/** A page that does not read is dropped, so that its events do not pile up. */
const MAX_QUEUED = 1_000;

/** What happens in the server, told to every open page. Nothing is watched while no page is open. */
export class PageEvents {
  readonly #app: App;
  readonly #calls: CallLog;
  readonly #pages = new Set<SendEvent>();
  #watch: NodeJS.Timeout | undefined;
  #lastStatus = "";

  constructor(app: App, calls: CallLog) {
    this.#app = app;
    this.#calls = calls;
  }

  send: SendEvent = (event, data) => {
    for (const tell of this.#pages) tell(event, data);
  };

  /** Server-sent events until the page leaves. */
  stream(signal: AbortSignal): Response {
    const encoder = new TextEncoder();
    let leave = () => {};
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const write = (text: string) => {
            if ((controller.desiredSize ?? 0) < -MAX_QUEUED) leave();
            else controller.enqueue(encoder.encode(text));
          };
          const tell: SendEvent = (event, data) =>
            write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
          const alive = setInterval(() => write(": alive\n\n"), ALIVE_MS).unref();
          const unfollow = this.#calls.follow((call) => tell("call", call));
          let isOpen = true;
          leave = () => {
            if (!isOpen) return;
            isOpen = false;
            clearInterval(alive);
            unfollow();
            this.#remove(tell);
            controller.close();
          };
          signal.addEventListener("abort", () => leave(), { once: true });
          tell("hello", { started: true });
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

  #add(tell: SendEvent): void {
    this.#pages.add(tell);
    this.#lastStatus = "";
    void this.#tellStatus();
    this.#watch ??= setInterval(() => void this.#tellStatus(), STATUS_MS).unref();
  }

  #remove(tell: SendEvent): void {
    this.#pages.delete(tell);
    if (this.#pages.size > 0) return;
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
