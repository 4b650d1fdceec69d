import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface TeamProxy extends AsyncDisposable {
  readonly address: string;
  /** Answers requests for this path from now on, instead of the server. `pass` hands one to the server after all. */
  answer(path: string, run: (response: ServerResponse, pass: () => void) => void): void;
  /** How often a path was asked for. */
  count(path: string): number;
}

/** What is between a browser and a team's server: a network that answers late, in parts or not at all. */
export async function openProxy(port: number): Promise<TeamProxy> {
  const own = new Map<string, (response: ServerResponse, pass: () => void) => void>();
  const counts = new Map<string, number>();
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const { url: path, method, headers } = request;
    const onward = httpRequest({ port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  };
  const proxy = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    counts.set(path, 1 + (counts.get(path) ?? 0));
    const answer = own.get(path);
    if (answer) answer(response, () => pass(request, response));
    else pass(request, response);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // The address of a TCP server is an object.
  const { port: listening } = proxy.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${listening}/`,
    answer: (path, run) => void own.set(path, run),
    count: (path) => counts.get(path) ?? 0,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
