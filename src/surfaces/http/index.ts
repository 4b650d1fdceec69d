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
/** Plain HTTP: the documents contract, every other tool under /tools, MCP under /mcp. */
export { isLoopback };

export interface HttpOptions extends GuardOptions {
  readonly version: string;
  /** What answers under /mcp; handed in, since surfaces do not know each other. */
  readonly mcp: (request: Request) => Promise<Response>;
}

/** Known from proxies; nobody reads it. */
const LEFT = 499;

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
  hono.get("/healthz", (context) => context.json({ status: "ok", version }));
  hono.get("/openapi.json", (context) => context.json(openApi(tools, version)));
  hono.all("/mcp", async (context) => {
    const { method, url, headers, signal } = context.req.raw;
    const body = method === "POST" ? await readBody(context.req.raw) : null;
    if (body === undefined) return tooLarge(context);
    return mcp(new Request(url, { method, headers, signal, body }));
  });
  addToolRoutes(hono, app, tools);
  hono.notFound((context) =>
    refuse(context, 404, "There is nothing here. GET /openapi.json lists what there is."),
  );
  hono.onError((thrown, context) => {
    // Whoever asked has left: there is nobody to answer, and nothing went wrong.
    if (context.req.raw.signal.aborted) return new Response(null, { status: LEFT });
    const error = edgeError(thrown, app.machine.logger);
    return refuse(context, 500, error.message);
  });
  return hono;
}
