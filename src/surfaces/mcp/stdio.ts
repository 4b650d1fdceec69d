import type { Readable, Writable } from "node:stream";
import { type Logger, stderrLogger } from "../../core/logger.ts";
import type { App } from "../../core/room-offer.ts";
import { serveLate } from "./late-protocol.ts";
import { LineWire } from "./line-wire.ts";
import { openingAnswers } from "./opening.ts";
import { checkProfile } from "./profiles.ts";
import type { McpOptions } from "./protocol-server.ts";

interface StdioOptions extends McpOptions {
  /** What the rooms say about their state, without opening them. Without it, they are opened for `initialize`. */
  readonly instructions?: () => Promise<string | undefined>;
  /** Default: the standard error of this process. */
  readonly logger?: Logger;
}

/**
 * Serves one client over two streams until it leaves or `signal` aborts. Rooms and the protocol's SDK take most of the
 * time of a start, so they are loaded at the first request that needs them.
 */
export async function serveStdio(
  open: () => App | Promise<App>,
  streams: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
  options: StdioOptions,
): Promise<void> {
  const { version, profile = "auto", names = "auto", instructions, logger = stderrLogger() } = options;
  checkProfile(profile); // An unknown profile fails now, not at the first listing.
  const wire = new LineWire(streams);
  const onerror = (error: Error) => logger.warn(`mcp: ${error.message}`);
  let close = () => wire.close();
  const connect = async (transport: unknown) => {
    const [{ serveWire }, app] = await Promise.all([import("./protocol-server.ts"), open()]);
    ({ close } = serveWire(app, transport, options));
  };
  const opening = openingAnswers({ version, profile, names, instructions });
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
    else void serveLate(wire, { opening, connect, onerror, onclose: resolve, onfailure: reject });
  });
  await close();
}
