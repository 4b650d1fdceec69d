import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type McpRequestContext,
  ProtocolError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { edgeError } from "../../core/edge-error.ts";
import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import type { CallLog } from "../call-log.ts";
import { boundedQueue, type Queue } from "../queue.ts";
import { type CallSettings, callTool } from "./call-tool.ts";
import { type RpcFailure, unknownTool } from "./error-shapes.ts";
import { serverInstructions } from "./instructions.ts";
import { answerMoreTools } from "./more-tools.ts";
import {
  callableTools,
  checkProfile,
  findTool,
  type Serving,
  servingFor,
  type ToolNames,
} from "./profiles.ts";
import { protocolProgress } from "./progress.ts";
import { definitions, type ListedTool, MORE_TOOLS } from "./tool-list.ts";

/** The only file that imports the protocol's SDK. */

export interface McpOptions {
  readonly version: string;
  /** `auto` (by client), `all`, `lean`, or room names. It decides what is listed; every tool can be called. Default: `auto`. */
  readonly profile?: string;
  /** Default: `auto`, by client. */
  readonly names?: ToolNames | "auto";
  /** Shared with plain HTTP if both serve the same clients. Default: one of its own. */
  readonly queue?: Queue;
  /** Told about every answered call. */
  readonly calls?: CallLog;
  /** Called once, at the first tool call: from then on this process serves. */
  readonly onFirstCall?: (app: App) => void;
}

/** A fetch handler for `/mcp`. The HTTP surface checks host, origin and token before it calls this. */
export function mcpHandler(app: App, options: McpOptions) {
  const handler = createMcpHandler(protocolServer(app, options), {
    onerror: (error) => app.machine.logger.warn(`mcp: ${error.message}`),
  });
  return {
    async fetch(request: Request): Promise<Response> {
      const response = await handler.fetch(request);
      // The SDK always says keep-alive. Only the HTTP server knows whether and how long the connection is kept.
      response.headers.delete("connection");
      return response;
    },
    close: () => handler.close(),
  };
}

/** Serves one client over a line transport. */
export function serveWire(app: App, transport: unknown, options: McpOptions) {
  return serveStdio(protocolServer(app, options), {
    // It has the needed methods; the SDK's Transport type also has optional hooks for HTTP and does not accept it.
    transport: transport as never,
    onerror: (error) => app.machine.logger.warn(`mcp: ${error.message}`),
  });
}

/** A factory: one server per connection over stdio, one per request over HTTP, so no two clients share a server. */
function protocolServer(
  app: App,
  { version, profile = "auto", names = "auto", queue = boundedQueue(), calls, onFirstCall }: McpOptions,
) {
  checkProfile(profile); // An unknown profile fails now, not at the first listing.
  const { logger, root } = app.machine;
  const tools = callableTools(app.tools);
  const listOf = listsByServing(app);
  let isFirst = true;
  const beforeCall = () => {
    if (isFirst) onFirstCall?.(app);
    isFirst = false;
  };

  return async (request: McpRequestContext) => {
    const server = new ContractServer(
      { name: "contextful", title: "Contextful", version },
      await offerOf(app),
    );
    const servingOf = (context: ServerContext) =>
      servingFor({ profile, names }, clientNameOf(server, context, request));
    server.setRequestHandler("tools/list", (_, context) => ({ tools: [...listOf(servingOf(context))] }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const client = clientNameOf(server, context, request);
      const settings: CallSettings = {
        queue,
        logger,
        root,
        tools,
        names: servingOf(context).names,
        calls,
        client,
      };
      const asked = { raw: params.arguments, call: callFor(app, context) };
      const tool = findTool(tools, params.name);
      if (!tool && params.name !== MORE_TOOLS.name) throw rpcError(unknownTool(params.name));
      beforeCall();
      const answer = await (tool ? callTool(tool, asked, settings) : answerMoreTools(asked, settings));
      if ("failure" in answer) throw rpcError(answer.failure);
      return { ...answer.result };
    });
    if (app.resources.length > 0) serveResources(server, app);
    if (app.prompts.length > 0) servePrompts(server, app);
    return server;
  };
}

/** Each list is made once. */
function listsByServing(app: App): (serving: Serving) => readonly ListedTool[] {
  const lists = new Map<string, readonly ListedTool[]>();
  return (serving) => {
    const key = `${serving.names} ${serving.profile}`;
    const list = lists.get(key) ?? definitions(app, serving);
    lists.set(key, list);
    return list;
  };
}

async function offerOf(app: App) {
  // A server without instructions is still useful, so a broken store does not stop it; the log says why.
  const instructions = await serverInstructions(app).catch((thrown: unknown) => {
    app.machine.logger.error("mcp: the instructions could not be written:", thrown);
    return undefined;
  });
  return {
    capabilities: {
      tools: {},
      ...(app.resources.length > 0 ? { resources: {} } : {}),
      ...(app.prompts.length > 0 ? { prompts: {} } : {}),
    },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

const Envelope = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });

/**
 * The name is in every request of the stateless era, and in `initialize` before it. Over HTTP a request of the old era is
 * served alone, so only its User-Agent says who sent it.
 */
function clientNameOf(server: Server, { mcpReq }: ServerContext, { requestInfo }: McpRequestContext) {
  const { data } = Envelope.safeParse(mcpReq.envelope);
  const stated = data?.[CLIENT_INFO_META_KEY].name ?? server.getClientVersion()?.name;
  return stated ?? requestInfo?.headers.get("user-agent")?.split("/")[0];
}

/** The code index's contract uses −32002. The SDK reserves it for an older "resource not found" and never sends it. */
const INDEXING = -32002;
const STAND_IN = -32992;

class ContractServer extends Server {
  override async connect(transport: Parameters<Server["connect"]>[0]): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const isStandIn = "error" in message && message.error.code === STAND_IN;
      return send(isStandIn ? { ...message, error: { ...message.error, code: INDEXING } } : message, options);
    };
    await super.connect(transport);
  }
}

function callFor({ machine }: App, context: ServerContext): Call {
  const { signal, _meta, notify } = context.mcpReq;
  const token = _meta?.progressToken;
  return {
    signal,
    actor: machine.env["MCP_CALLER"] || "mcp:unknown",
    caller: "agent",
    progress:
      token === undefined
        ? silentProgress
        : protocolProgress(
            (message) => {
              const params = { progressToken: token, ...message };
              // A client that left needs no progress.
              notify({ method: "notifications/progress", params }).catch(() => undefined);
            },
            () => performance.now(),
          ),
  };
}

function serveResources(server: Server, app: App): void {
  const { resources } = app;
  server.setRequestHandler("resources/list", async () => ({
    resources: (await Promise.all(resources.map((source) => source.list()))).flat(),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: resources.flatMap((source) => source.templates),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    // The first room that knows the URI answers.
    for (const source of resources) {
      const found = await told(app, () => source.read(uri));
      if (!found) continue;
      const { cleanText } = await import("../../core/hygiene/index.ts");
      return { contents: [{ uri, ...found, text: cleanText(found.text, { mimeType: found.mimeType }) }] };
    }
    throw new ProtocolError(-32602, "Resource not found", { uri });
  });
}

function servePrompts(server: Server, app: App): void {
  const { prompts } = app;
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, description, arguments: wanted }) => ({
      name,
      description,
      arguments: wanted.map((argument) => ({ ...argument })),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: values = {} } }) => {
    const prompt = prompts.find((known) => known.name === name);
    if (!prompt) throw new ProtocolError(-32602, `Unknown prompt: ${name.slice(0, 128)}`);
    const missing = prompt.arguments.find((wanted) => wanted.required && values[wanted.name] === undefined);
    if (missing) throw new ProtocolError(-32602, `Missing argument: ${missing.name}`);
    const { cleanText } = await import("../../core/hygiene/index.ts");
    const text = cleanText(await told(app, () => prompt.render(values)));
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
}

/** What a room says goes to the caller; a defect of ours goes to the log. */
async function told<T>({ machine }: App, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const { code, message } = edgeError(thrown, machine.logger);
    throw new ProtocolError(code === "internal" ? -32603 : -32602, message);
  }
}

const rpcError = ({ code, message, data }: RpcFailure) =>
  new ProtocolError(code === INDEXING ? STAND_IN : code, message, data);
