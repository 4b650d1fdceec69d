import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { Generation } from "../replica.ts";
import { loadPg, unavailable } from "./postgres-client.ts";

export const CHANNEL = "contextful_published";
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** More than the database's list has. Anyone who may connect can send any number of notifications. */
const MAX_SEEN = 20_000;

interface ListenOptions {
  readonly url: string;
  readonly signal: AbortSignal;
  listener(generation: Generation): void;
  /** Oldest first. */
  readAll(): Promise<readonly Generation[]>;
}

/** Holds a connection of its own. After a break it connects again and reports what was published meanwhile. */
export async function listenForGenerations(options: ListenOptions): Promise<void> {
  const { listener, signal, readAll } = options;
  const seen = new Set<string>();
  const report = (generation: Generation, isNews = true) => {
    const identity = JSON.stringify(generation);
    if (seen.has(identity)) return;
    seen.add(identity);
    const [oldest = ""] = seen;
    if (seen.size > MAX_SEEN) seen.delete(oldest);
    if (isNews && !signal.aborted) listener(generation);
  };
  let connection = await connect(options, report);
  for (const generation of await readAll()) report(generation, false);
  void (async () => {
    for (let wait = RETRY_MS; !signal.aborted; ) {
      await connection.ended;
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        connection = await connect(options, report);
        for (const generation of await readAll()) report(generation);
        wait = RETRY_MS;
      } catch {
        wait = Math.min(2 * wait, MAX_RETRY_MS);
      }
    }
  })();
}

/** Anyone who may connect to the database can send a notification with any text. */
function published(payload: string): Generation | undefined {
  try {
    return Generation.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

async function connect({ url, signal }: ListenOptions, report: (generation: Generation) => void) {
  const pg = await loadPg();
  const client: Client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: "contextful listener",
  });
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  client.on("error", () => void client.end().catch(() => {}));
  client.on("notification", ({ payload }) => {
    const generation = published(payload ?? "");
    if (generation) report(generation);
  });
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (cause) {
    await client.end().catch(() => {});
    throw unavailable(cause);
  }
  const stop = () => void client.end().catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return { ended: ended.finally(() => signal.removeEventListener("abort", stop)) };
}
