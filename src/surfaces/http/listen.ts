import { setMaxListeners } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { asDomainError, DomainError, errnoOf } from "../../core/errors.ts";
import { boundedQueue, type Queue } from "../queue.ts";
import { errorBody } from "./answers.ts";

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
  // Longer than clients keep idle connections, so that they close first: a request sent into our close is lost.
  keepAliveTimeout: 30_000,
  maxHeaderSize: 16 * 1024,
  // Node's own answer lacks the error object; our guard refuses requests without a host.
  requireHostHeader: false,
} as const;
const MOST_CONNECTIONS = 512;
const GRACE_MS = 1_000;
/** Answers on one connection are sent in the order of its requests, so more at once gain nothing. */
const PIPELINE_LIMITS = { running: 4, waiting: 4_096 } as const;

const UNREADABLE = { status: 400, message: "The request is not HTTP that can be read." } as const;
/** Parser errors that have a better status than 400. */
const PARSER_ERRORS: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers are too large." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: "The chunk extensions are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};

export async function listen(
  hono: { readonly fetch: Parameters<typeof getRequestListener>[0] },
  address: { readonly host: string; readonly port: number; readonly graceMs?: number },
): Promise<Listening> {
  const answer = getRequestListener(hono.fetch, {
    errorHandler: answerUnaddressed,
    overrideGlobalObjects: false,
  });
  const server = createServer(LIMITS, fewPerConnection(answer));
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
        setTimeout(() => server.closeAllConnections(), address.graceMs ?? GRACE_MS).unref();
      }),
  };
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Answers few requests of a connection at once and stops reading from it while others wait, so that one client that
 * pipelines thousands of requests does not delay the rest. Requests that wait when the connection closes are dropped.
 */
function fewPerConnection(answer: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, { readonly queue: Queue; readonly closed: AbortSignal }>();
  const queueOf = (socket: Socket) => {
    const known = queues.get(socket);
    if (known) return known;
    const closed = new AbortController();
    // Every waiting request listens; that is bounded, so Node need not warn.
    setMaxListeners(0, closed.signal);
    socket.once("close", () => closed.abort());
    const made = { queue: boundedQueue(PIPELINE_LIMITS), closed: closed.signal };
    queues.set(socket, made);
    return made;
  };
  return (request, response) => {
    const { socket } = request;
    const { queue, closed } = queueOf(socket);
    const answered = queue.run(closed, async () => {
      if (queue.waiting === 0) socket.resume();
      const sent = new Promise((resolve) => response.once("close", resolve));
      await answer(request, response);
      await sent;
    });
    if (queue.waiting > 0) socket.pause();
    // A waiting request fails only if its connection is closed or sends more than we hold: either way it ends here.
    answered.catch(() => socket.destroy());
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

/** Node's parser refuses some requests before our handlers see them; they get the same error object, written to the socket. */
function answerParserErrors(server: Server): void {
  const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on("request", ({ socket }, response) => {
    const open = unanswered.get(socket) ?? new Set();
    unanswered.set(socket, open.add(response));
    response.once("close", () => open.delete(response));
  });
  server.on("clientError", (error, socket) => {
    // A second answer inside the first would be read as part of it.
    const isAnswering = [...(unanswered.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (isAnswering || !socket.writable) socket.destroy();
    else socket.end(wholeAnswer(error), () => socket.destroy());
  });
}

function wholeAnswer(error: Error): string {
  const { status, message } = PARSER_ERRORS[errnoOf(error) ?? ""] ?? UNREADABLE;
  const body = JSON.stringify(errorBody("bad_request", message));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

/** Answers valid HTTP with an unusable host or address. */
function answerUnaddressed(thrown: unknown): Response {
  const [status, body] =
    thrown instanceof RequestError
      ? [UNREADABLE.status, errorBody("bad_request", `${thrown.message}.`)]
      : [500, errorBody("internal", asDomainError(thrown).message)];
  return Response.json(body, { status, headers: { Connection: "close" } });
}
