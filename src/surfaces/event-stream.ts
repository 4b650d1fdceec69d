export interface EventReader {
  /** What `encodedEvent` gave: readers share the bytes, so that slow ones do not keep a copy each. */
  send(bytes: Uint8Array): void;
  end(): void;
}

const ALIVE_MS = 15_000;
/** A reader that does not read is dropped, so that its events do not pile up. */
const MAX_QUEUED = 1_000;

const encoder = new TextEncoder();
const ALIVE = encoder.encode(": alive\n\n");

export const encodedEvent = (event: string, data: unknown): Uint8Array =>
  encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

/** Server-sent events until the reader leaves. `open` gets the reader and returns what to do when it has left. */
export function eventStream(
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
  open: (reader: EventReader) => () => void,
): Response {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true;
        let left = () => {};
        const send = (bytes: Uint8Array) => {
          if ((controller.desiredSize ?? 0) < -MAX_QUEUED) end();
          else if (isOpen) controller.enqueue(bytes);
        };
        const alive = setInterval(() => send(ALIVE), ALIVE_MS).unref();
        end = () => {
          if (!isOpen) return;
          isOpen = false;
          clearInterval(alive);
          left();
          controller.close();
        };
        signal.addEventListener("abort", () => end(), { once: true });
        left = open({ send, end: () => end() });
      },
      cancel: () => end(),
    },
    { highWaterMark: 64 },
  );
  return new Response(body, {
    headers: { ...headers, "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
  });
}
