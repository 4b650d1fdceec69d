import type { Context, Hono } from "hono";
import { edgeError } from "../../core/edge-error.ts";
import type { DomainError } from "../../core/errors.ts";
import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke, type Tool } from "../../core/tool.ts";
import { contractError } from "../contract-errors.ts";
import type { Queue } from "../queue.ts";
import { refuse } from "./answers.ts";
import { readCall } from "./body.ts";

/** Where a tool answers: the route its contract fixes, else POST /tools/NAME. */
export const routeOf = (tool: Tool): { readonly method: "GET" | "POST"; readonly path: string } =>
  tool.route ?? { method: "POST", path: `/tools/${tool.name}` };

interface ToolServing {
  readonly app: App;
  readonly tools: readonly Tool[];
  readonly queue: Queue;
}

/** How long a client should wait before it repeats a call that was refused as `busy`. */
const RETRY_AFTER_S = "1";

/** The route of each tool, its route by name, and a third by the name without dots. */
export function addToolRoutes(hono: Hono, serving: ToolServing): void {
  const { tools } = serving;
  hono.get("/tools", (context) => context.json({ tools: tools.map(listed) }));
  for (const tool of tools) {
    const { method, path } = routeOf(tool);
    const paths = new Set([path, `/tools/${tool.name}`, `/tools/${tool.safeName ?? tool.name}`]);
    for (const each of paths) {
      const verb = each === path ? method : "POST";
      // A GET tool takes no input. Clients that post to every tool are answered too.
      hono.on(verb === "GET" ? ["GET", "POST"] : [verb], each, (context) => answer(context, tool, serving));
      hono.all(each, (context) => {
        context.header("Allow", verb);
        return refuse(context, 405, `Use ${verb} ${each}.`);
      });
    }
  }
}

function listed(tool: Tool) {
  const { method, path } = routeOf(tool);
  return { name: tool.name, room: tool.room, method, path, description: tool.description };
}

async function answer(
  context: Context,
  tool: Tool,
  { app: { machine }, tools, queue }: ToolServing,
): Promise<Response> {
  const read = ["GET", "HEAD"].includes(context.req.method) ? { raw: {} } : await readCall(context);
  if ("refused" in read) return read.refused;
  const { signal } = context.req.raw;
  const call = {
    signal,
    progress: silentProgress,
    actor: machine.env["MCP_CALLER"] || "http:unknown",
    caller: "agent",
  } as const;
  try {
    const output = await queue.run(signal, () => invoke(tool, read.raw, call));
    return context.body(tool.json?.(output) ?? JSON.stringify(output), 200, {
      "Content-Type": "application/json",
    });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = edgeError(thrown, machine.logger);
    const { status, body } = contractError(error, withNextRoute(error, tools));
    if (error.code === "busy") context.header("Retry-After", RETRY_AFTER_S);
    return context.json(body, status);
  }
}

/** Names the route to call next. A step that only people can take is left out. */
function withNextRoute({ message, next }: DomainError, tools: readonly Tool[]): string {
  const tool = next && tools.find(({ name }) => name === next.tool);
  if (!tool) return message;
  const { method, path } = routeOf(tool);
  return `${message} Call ${method} ${path} first.`;
}
