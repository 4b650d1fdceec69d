import { Hono } from "hono";
import { edgeError } from "../../core/edge-error.ts";
import { DomainError } from "../../core/errors.ts";
import type { App } from "../../core/room-offer.ts";
import { refuse } from "./answers.ts";
import { readBody, tooLarge } from "./body.ts";
import { type GuardOptions, isLoopback, onlyFromHere } from "./guards.ts";
import { openApi } from "./openapi.ts";
import { addToolRoutes } from "./routes.ts";

export { type Listening, listen } from "./listen.ts";
/** Plain HTTP: the documents contract's routes, every other tool under /tools, MCP under /mcp. */
export { isLoopback };

export interface HttpOptions extends GuardOptions {
  readonly version: string;
  /** Answers requests to /mcp. It is passed in because surfaces do not import each other. */
  readonly mcp: (request: Request) => Promise<Response>;
}

/** "Client closed the request", as proxies log it; nobody reads it. */
const CLIENT_CLOSED = 499;

export function httpApp(app: App, { version, mcp, ...guard }: HttpOptions): Hono {
  if (guard.token === undefined && !isLoopback(guard.host)) {
    throw new DomainError(
      "invalid_input",
      `Refusing to serve on ${guard.host} without a token: others could read the project. Give --token-file FILE.`,
    );
  }
  const tools = app.tools.filter((tool) => tool.audience !== "people");
  const hono = new Hono();
  hono.use(onlyFromHere(guard));
  for (const path of ["/healthz", "/health"]) {
    hono.get(path, (context) => context.json({ status: "ok", version }));
  }
  hono.get("/openapi.json", (context) => {
    const { origin } = new URL(context.req.url);
    return context.json(openApi(tools, { version, origin, hasToken: guard.token !== undefined }));
  });
  hono.all("/mcp", async (context) => {
    const { method, url, headers, signal } = context.req.raw;
    const body = method === "POST" ? await readBody(context.req.raw) : null;
    if (body === undefined) return tooLarge(context);
    return mcp(new Request(url, { method, headers, signal, body }));
  });
  addToolRoutes(hono, app, tools);
  hono.notFound((context) =>
    refuse(
      context,
      404,
      "There is nothing here. GET /tools lists the tools, GET /openapi.json describes them, /mcp serves MCP.",
    ),
  );
  hono.onError((thrown, context) => {
    // The client has left, so this is not an error.
    if (context.req.raw.signal.aborted) return new Response(null, { status: CLIENT_CLOSED });
    const error = edgeError(thrown, app.machine.logger);
    return refuse(context, 500, error.message);
  });
  return hono;
}
