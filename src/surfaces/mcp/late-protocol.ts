import type { LineWire } from "./line-wire.ts";
import type { WireMessage } from "./message.ts";
import type { OpeningAnswers } from "./opening.ts";

/** What the protocol layer gets in place of the wire, which was started before it. */
class LateTransport {
  onmessage: ((message: WireMessage) => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onclose: (() => void) | undefined;
  readonly #wire: LineWire;
  /** The request that is being repeated: its second answer is dropped. */
  #repeated: { readonly id: unknown; readonly answered: () => void } | undefined;

  constructor(wire: LineWire) {
    this.#wire = wire;
  }

  async start(): Promise<void> {}

  async send(message: WireMessage): Promise<void> {
    const isAnswer = "id" in message && !("method" in message);
    if (isAnswer && this.#repeated?.id === message.id) this.#repeated.answered();
    else await this.#wire.send(message);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  /** Tells the protocol layer what the client has said, and waits until it has taken it in. */
  async repeat(messages: readonly WireMessage[]): Promise<void> {
    for (const message of messages) {
      if (!("id" in message)) this.onmessage?.(message);
      else {
        await new Promise<void>((answered) => {
          this.#repeated = { id: message.id, answered };
          this.onmessage?.(message);
        });
        this.#repeated = undefined;
      }
    }
  }
}

interface LateServing {
  readonly opening: OpeningAnswers;
  /** Loads the protocol layer and connects it. */
  connect(transport: LateTransport): Promise<void>;
  onerror(error: Error): void;
  onclose(): void;
  /** The protocol layer could not be loaded. */
  onfailure(thrown: unknown): void;
}

/** How long after the tools were listed the protocol layer is loaded, if nobody needed it before. */
const LOAD_AFTER_MS = 250;

/**
 * Answers the opening messages of a client itself, and connects the protocol layer at the first message that needs it. It is
 * told the opening again, so that it knows the client and its era.
 */
export async function serveLate(
  wire: LineWire,
  { opening, connect, onerror, onclose, onfailure }: LateServing,
): Promise<void> {
  const transport = new LateTransport(wire);
  const told: WireMessage[] = [];
  let connected: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const load = () => {
    connected ??= connect(transport).then(() => transport.repeat(told));
    return connected;
  };
  const handle = async (message: WireMessage) => {
    const answer = connected ? undefined : await opening.answer(message).catch(() => undefined);
    if (answer === undefined) {
      await load();
      return transport.onmessage?.(message);
    }
    // A list changes nothing in the protocol layer, unless it is the first message: that one decides the era.
    if (told.length === 0 || !isList(message)) told.push(message);
    if (answer !== "seen") await wire.send({ result: answer.result, jsonrpc: "2.0", id: answer.id });
    // The first call should not wait for what can be loaded before it.
    if (isList(message)) timer ??= setTimeout(() => load().catch(onfailure), LOAD_AFTER_MS).unref();
  };
  // One after another, so that answers keep the order of the requests.
  let before = Promise.resolve();
  wire.onmessage = (message) => {
    before = before.then(() => handle(message)).catch(onfailure);
  };
  wire.onerror = (error) => (transport.onerror ?? onerror)(error);
  wire.onclose = () => {
    clearTimeout(timer);
    transport.onclose?.();
    onclose();
  };
  await wire.start();
}

const isList = (message: WireMessage) => "method" in message && message.method === "tools/list";
