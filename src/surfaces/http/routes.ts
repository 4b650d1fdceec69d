import type { Context, Hono } from "hono";
import { edgeError } from "../../core/edge-error.ts";
import type { DomainError } from "../../core/errors.ts";
import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke, type Tool } from "../../core/tool.ts";
import { contractError } from "../contract-errors.ts";
import { refuse } from "./answers.ts";
import { readCall } from "./body.ts";

/** Where a tool answers: the route its contract fixes, else POST /tools/NAME. */
export const routeOf = (tool: Tool): { readonly method: "GET" | "POST"; readonly path: string } =>
  tool.route ?? { method: "POST", path: `/tools/${tool.name}` };

/** The route of each tool, its route by name, and a third by the name without dots. */
export function addToolRoutes(hono: Hono, app: App, tools: readonly Tool[]): void {
  hono.get("/tools", (context) => context.json({ tools: tools.map(listed) }));
  for (const tool of tools) {
    const { method, path } = routeOf(tool);
    const paths = new Set([path, `/tools/${tool.name}`, `/tools/${tool.safeName ?? tool.name}`]);
    for (const each of paths) {
      const verb = each === path ? method : "POST";
      // A GET tool takes no input. Clients that post to every tool are answered too.
      hono.on(verb === "GET" ? ["GET", "POST"] : [verb], each, (context) =>
        answer(context, app, { tool, tools }),
      );
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
  { machine }: App,
  { tool, tools }: { readonly tool: Tool; readonly tools: readonly Tool[] },
): Promise<Response> {
  const read = ["GET", "HEAD"].includes(context.req.method) ? { raw: {} } : await readCall(context);
  if ("refused" in read) return read.refused;
  const { signal } = context.req.raw;
  try {
    const output = await invoke(tool, read.raw, {
      onCleaned: ({ invisible, secrets }) =>
        context.header("Contextful-Cleaned", `invisible=${invisible}, secrets=${secrets}`),
      signal,
      progress: silentProgress,
      actor: machine.env["MCP_CALLER"] || "http:unknown",
      caller: "agent",
    });
    return context.body(tool.json?.(output) ?? JSON.stringify(output), 200, {
      "Content-Type": "application/json",
    });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = edgeError(thrown, machine.logger);
    const { status, body } = contractError(error, withNextRoute(error, tools));
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
