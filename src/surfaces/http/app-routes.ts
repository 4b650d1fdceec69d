import type { Hono } from "hono";
import { edgeError } from "../../core/edge-error.ts";
import type { App } from "../../core/room-offer.ts";
import type { CallLog } from "../call-log.ts";
import type { Queue } from "../queue.ts";
import { refuse } from "./answers.ts";
import { readBody, tooLarge } from "./body.ts";
import type { HttpPage } from "./http-page.ts";
import { openApi } from "./openapi.ts";
import { addToolRoutes } from "./routes.ts";

export interface AppRoutes {
  readonly version: string;
  /** Answers requests to /mcp. It is passed in because surfaces do not import each other. */
  readonly mcp: (request: Request) => Promise<Response>;
  readonly queue: Queue;
  readonly hasToken: boolean;
  /** The page for people; passed in as `mcp` is. */
  readonly page?: HttpPage | undefined;
  /** Told about every answered call that is not the page's own. */
  readonly calls?: CallLog | undefined;
}

/** "Client closed the request", as proxies log it; nobody reads it. */
const CLIENT_CLOSED = 499;

/** The routes of an app's tools, for callers that have been let in. */
export function addAppRoutes(
  hono: Hono,
  app: App,
  { version, mcp, queue, hasToken, page, calls }: AppRoutes,
): void {
  const tools = app.tools.filter((tool) => tool.audience !== "people");
  hono.get("/openapi.json", (context) => {
    const { origin } = new URL(context.req.url);
    return context.json(openApi(tools, { version, origin, hasToken, page }));
  });
  hono.all("/mcp", async (context) => {
    const { method, url, headers, signal } = context.req.raw;
    const body = method === "POST" ? await readBody(context.req.raw) : null;
    if (body === undefined) return tooLarge(context);
    return mcp(new Request(url, { method, headers, signal, body }));
  });
  page?.addRoutes(hono);
  addToolRoutes(hono, { app, tools, queue, page, calls });
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
}
