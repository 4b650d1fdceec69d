import type { Context, Hono } from "hono";
import { contractError } from "../../core/contract-errors.ts";
import { edgeError } from "../../core/edge-error.ts";
import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import { invoke, type Tool } from "../../core/tool.ts";
import { refuse } from "./answers.ts";
import { readCall } from "./body.ts";

/** Where a tool answers: the route its contract fixes, else POST /tools/NAME. */
export const routeOf = (tool: Tool): { readonly method: "GET" | "POST"; readonly path: string } =>
  tool.route ?? { method: "POST", path: `/tools/${tool.name}` };

/** One route a tool, and a second one where it has a name without dots. */
export function addToolRoutes(hono: Hono, app: App, tools: readonly Tool[]): void {
  for (const tool of tools) {
    const { method, path } = routeOf(tool);
    const paths = new Set([path, `/tools/${tool.name}`, `/tools/${tool.safeName ?? tool.name}`]);
    for (const each of paths) {
      const verb = each === path ? method : "POST";
      // What takes no input is read with GET; clients that post to every tool are answered too.
      hono.on(verb === "GET" ? ["GET", "POST"] : [verb], each, (context) => answer(context, app, tool));
      hono.all(each, (context) => {
        context.header("Allow", verb);
        return refuse(context, 405, `Use ${verb} ${each}.`);
      });
    }
  }
}

async function answer(context: Context, app: App, tool: Tool): Promise<Response> {
  const read = ["GET", "HEAD"].includes(context.req.method) ? { raw: {} } : await readCall(context);
  if ("refused" in read) return read.refused;
  const { machine } = app;
  const { signal } = context.req.raw;
  try {
    const output = await invoke(tool, read.raw, {
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
    const { status, body } = contractError(edgeError(thrown, machine.logger));
    return context.json(body, status);
  }
}
