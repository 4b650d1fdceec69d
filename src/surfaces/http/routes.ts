import type { Context, Hono } from "hono";
import { edgeError } from "../../core/edge-error.ts";
import type { DomainError } from "../../core/errors.ts";
import type { CleanedCounts } from "../../core/hygiene/index.ts";
import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import { type AgentView, invoke, invokeView, type Tool } from "../../core/tool.ts";
import type { CallLog } from "../call-log.ts";
import { contractError } from "../contract-errors.ts";
import type { Queue } from "../queue.ts";
import { refuse } from "./answers.ts";
import { readCall } from "./body.ts";
import type { HttpPage } from "./http-page.ts";

/** Where a tool answers: the route its contract fixes, else POST /tools/NAME. A tool for people answers the page only. */
export const routeOf = (tool: Tool): { readonly method: "GET" | "POST"; readonly path: string } =>
  tool.route ?? { method: "POST", path: `${folderOf(tool)}/${tool.name}` };

const folderOf = ({ audience }: Tool) => (audience === "people" ? "/page/tools" : "/tools");

/** An agent view answers the same JSON as its tool; its fields may be left out. */
export const routeOfView = ({ name }: AgentView) => ({ method: "POST", path: `/tools/${name}` }) as const;

interface ToolServing {
  readonly app: App;
  readonly tools: readonly Tool[];
  readonly queue: Queue;
  readonly page?: HttpPage | undefined;
  readonly calls?: CallLog | undefined;
}

/** How long a client should wait before it repeats a call that was refused as `busy`. */
const RETRY_AFTER_S = "1";

/** The route of each tool, its route by name, a third by the name without dots, and one for its agent view. */
export function addToolRoutes(hono: Hono, serving: ToolServing): void {
  const { tools, page } = serving;
  for (const tool of page?.tools ?? []) {
    const { path } = routeOf(tool);
    hono.post(path, (context) => answer(context, serving, { tool }));
    hono.all(path, (context) => onlyBy("POST", path, context));
  }
  hono.get("/tools", (context) => context.json({ tools: tools.flatMap(listed) }));
  for (const tool of tools) {
    const { agentView: view } = tool;
    if (view) {
      const { path } = routeOfView(view);
      hono.post(path, (context) => answer(context, serving, { tool, view }));
      hono.all(path, (context) => onlyBy("POST", path, context));
    }
    const { method, path } = routeOf(tool);
    const paths = new Set([path, `/tools/${tool.name}`, `/tools/${tool.safeName ?? tool.name}`]);
    for (const each of paths) {
      const verb = each === path ? method : "POST";
      // A GET tool takes no input. Clients that post to every tool are answered too.
      hono.on(verb === "GET" ? ["GET", "POST"] : [verb], each, (context) =>
        answer(context, serving, { tool }),
      );
      hono.all(each, (context) => onlyBy(verb, each, context));
    }
  }
}

function onlyBy(verb: string, path: string, context: Context): Response {
  context.header("Allow", verb);
  return refuse(context, 405, `Use ${verb} ${path}.`);
}

function listed(tool: Tool) {
  const { room, agentView: view } = tool;
  const entry = { name: tool.name, room, ...routeOf(tool), description: tool.description };
  return view
    ? [entry, { name: view.name, room, ...routeOfView(view), description: view.description }]
    : [entry];
}

interface RoutedTool {
  readonly tool: Tool;
  readonly view?: AgentView;
}

async function answer(context: Context, serving: ToolServing, { tool, view }: RoutedTool): Promise<Response> {
  const {
    app: { machine },
    tools,
    queue,
    page,
  } = serving;
  const refused = refuseStrangers(context, serving, tool);
  if (refused) return refused;
  const read = ["GET", "HEAD"].includes(context.req.method) ? { raw: {} } : await readCall(context);
  if ("refused" in read) return read.refused;
  const { signal } = context.req.raw;
  const isPage = page?.isPage(context.req.raw) ?? false;
  const started = performance.now();
  const log = (output: unknown, given: string): void =>
    void (isPage ? undefined : serving.calls)?.add({
      surface: "http",
      client: context.req.header("user-agent"),
      tool: view?.name ?? tool.name,
      input: read.raw,
      output,
      given,
      isError: output === undefined,
      milliseconds: performance.now() - started,
    });
  const call = {
    onCleaned: ({ invisible, secrets }: CleanedCounts) =>
      context.header("Contextful-Cleaned", `invisible=${invisible}, secrets=${secrets}`),
    notice: (text: string) => context.header("Contextful-Notice", text, { append: true }),
    signal,
    progress: page && isPage ? page.progressOf(tool) : silentProgress,
    actor: machine.env["MCP_CALLER"] || (isPage ? "http:page" : "http:unknown"),
    caller: "agent",
  } as const;
  try {
    const seen = view && { tool, view, context: { root: machine.root } };
    const output = await queue.run(signal, async () =>
      seen ? (await invokeView(seen, read.raw, call)).output : invoke(tool, read.raw, call),
    );
    const text = tool.json?.(output) ?? JSON.stringify(output);
    log(output, text);
    return context.body(text, 200, { "Content-Type": "application/json" });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = edgeError(thrown, machine.logger);
    const { status, body } = contractError(error, withNextRoute(error, tools));
    log(undefined, JSON.stringify(body));
    if (error.code === "busy") context.header("Retry-After", RETRY_AFTER_S);
    return context.json(body, status);
  }
}

/** A browser may write only for the page, and only the page may call the tools for people. */
function refuseStrangers(context: Context, { page }: ToolServing, tool: Tool): Response | undefined {
  const request = context.req.raw;
  if (!page || page.isPage(request)) return undefined;
  if (tool.audience === "people")
    return refuse(context, 403, "Only the page may call this. GET /page/session starts a session.");
  if (tool.effect === "reads" || page.mayWrite(request)) return undefined;
  return refuse(context, 403, "A browser may write only through the page of this server.");
}

/** Names the route to call next. A step that only people can take is left out. */
function withNextRoute({ message, next }: DomainError, tools: readonly Tool[]): string {
  const tool = next && tools.find(({ name }) => name === next.tool);
  if (!tool) return message;
  const { method, path } = routeOf(tool);
  return `${message} Call ${method} ${path} first.`;
}
