import type { Readable, Writable } from "node:stream";
import type { App } from "../../core/room-offer.ts";
import { LineWire } from "./line-wire.ts";
import type { ToolNames } from "./profiles.ts";
import { type McpOptions, mcpHandler, serveWire } from "./protocol-server.ts";
import { definitions } from "./tool-list.ts";

/** MCP: the tools over stdio and over HTTP, in every protocol revision that is in use. */
export { type McpOptions, mcpHandler, type ToolNames };

/** Serves one client over two streams until it leaves or `signal` aborts. */
export async function serveStdio(
  app: App,
  streams: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
  options: McpOptions,
): Promise<void> {
  const wire = new LineWire(streams);
  const connection = serveWire(app, wire, options);
  const left = new Promise<void>((resolve) => {
    const close = wire.onclose;
    wire.onclose = () => {
      close?.();
      resolve();
    };
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await left;
  await connection.close();
}

/** The definitions a client would see, so that they can be measured. */
export const toolDefinitions = (app: App, profile: string, names: ToolNames = "contract") =>
  definitions(app, { profile, names });
