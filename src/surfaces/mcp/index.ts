import type { App } from "../../core/room-offer.ts";
import type { ToolNames } from "./profiles.ts";
import { type McpOptions, mcpHandler } from "./protocol-server.ts";
import { serveStdio } from "./stdio.ts";
import { definitions } from "./tool-list.ts";

/** MCP: the tools over stdio and over HTTP, in every protocol revision that is in use. */
export { type McpOptions, mcpHandler, serveStdio, type ToolNames };

/** The definitions a client would see, so that they can be measured. */
export const toolDefinitions = (app: App, profile: string, names: ToolNames = "contract") =>
  definitions(app, { profile, names });
