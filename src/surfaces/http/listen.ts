import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { DomainError, errnoOf } from "../../core/errors.ts";
import { answerParserErrors, answerUnaddressed } from "./unreadable-requests.ts";

export interface Listening {
  readonly port: number;
  /** Stops accepting, gives running answers a moment, then closes every connection. */
  close(): Promise<void>;
}

/** Drops clients that send their headers or body too slowly; clients that read an answer slowly are kept. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  // Node's own answer lacks the error object; our guard refuses requests without a host.
  requireHostHeader: false,
} as const;
const MOST_CONNECTIONS = 512;
const GRACE_MS = 1_000;

export async function listen(
  hono: Hono,
  address: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const answer = getRequestListener(hono.fetch, {
    errorHandler: answerUnaddressed,
    overrideGlobalObjects: false,
  });
  const server = createServer(LIMITS, (request, response) => void answer(request, response));
  server.maxConnections = MOST_CONNECTIONS;
  answerParserErrors(server);
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error) => reject(cannotListen(error, address)));
    server.listen(address.port, address.host);
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      }),
  };
}

function cannotListen(
  error: Error,
  { host, port }: { readonly host: string; readonly port: number },
): DomainError {
  const errno = errnoOf(error);
  if (errno === "EADDRINUSE") {
    return new DomainError(
      "unavailable",
      `Port ${port} on ${host} is in use, perhaps by another contextful. Stop it, or choose another with --port.`,
      { cause: error },
    );
  }
  return new DomainError("unavailable", `Cannot listen on ${host}:${port} (${errno ?? "unknown reason"}).`, {
    cause: error,
  });
}
