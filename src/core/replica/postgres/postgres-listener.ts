import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { loadPg } from "./postgres-client.ts";

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

interface ListenOptions {
  readonly url: string;
  readonly channel: string;
  readonly signal: AbortSignal;
  /** Called for each notification, whatever it says, and after each connect: something may have happened before it. */
  onNews(): void;
}

/** Holds a connection of its own until `signal` aborts. After a break it connects again. */
export async function listenForNews({ url, channel, signal, onNews }: ListenOptions): Promise<void> {
  for (let wait = RETRY_MS; !signal.aborted; ) {
    try {
      const { ended } = await connect({ url, channel, signal, onNews });
      onNews();
      wait = RETRY_MS;
      await ended;
    } catch {
      wait = Math.min(2 * wait, MAX_RETRY_MS);
    }
    await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function connect({ url, channel, signal, onNews }: ListenOptions) {
  const pg = await loadPg();
  const client: Client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: "contextful listener",
  });
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  client.on("error", () => void client.end().catch(() => {}));
  client.on("notification", onNews);
  const stop = () => void client.end().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
  } catch (thrown) {
    stop();
    signal.removeEventListener("abort", stop);
    throw thrown;
  }
  if (signal.aborted) stop();
  return { ended: ended.finally(() => signal.removeEventListener("abort", stop)) };
}
