import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
import { asDomainError, errnoOf } from "../../core/errors.ts";
import { errorBody } from "./answers.ts";

const UNREADABLE = { status: 400, message: "The request is not HTTP that can be read." } as const;
/** Parser errors that have a better status than 400. */
const PARSER_ERRORS: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers are too large." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: "The chunk extensions are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};

/** Node's parser refuses some requests before our handlers see them; they get the same error object, written to the socket. */
export function answerParserErrors(server: Server): void {
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
export function answerUnaddressed(thrown: unknown): Response {
  const [status, body] =
    thrown instanceof RequestError
      ? [UNREADABLE.status, errorBody("bad_request", `${thrown.message}.`)]
      : [500, errorBody("internal", asDomainError(thrown).message)];
  return Response.json(body, { status, headers: { Connection: "close" } });
}
