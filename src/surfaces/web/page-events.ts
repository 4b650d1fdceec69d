import type { App } from "../../core/room-offer.ts";
import type { CallLog } from "../call-log.ts";
import { type EventReader, encodedEvent, eventStream } from "../event-stream.ts";
import { SAFE_HEADERS } from "./page-files.ts";
import { toolCaller } from "./tool-caller.ts";

type PageEvent = "hello" | "status" | "call" | "progress";
type SendBytes = EventReader["send"];

const STATUS_MS = 1_500;

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

  send(event: PageEvent, data: unknown): void {
    const bytes = encodedEvent(event, data);
    for (const tell of this.#pages) tell(bytes);
  }

  /** Server-sent events until the page leaves. */
  stream = (signal: AbortSignal): Response =>
    eventStream(signal, SAFE_HEADERS, ({ send }) => {
      send(encodedEvent("hello", { started: true }));
      this.#add(send);
      return () => this.#remove(send);
    });

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
