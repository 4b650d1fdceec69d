import type { Hono } from "hono";
import type { Progress } from "../../core/progress.ts";
import type { Tool } from "../../core/tool.ts";

/** What HTTP needs from the page for people. `surfaces/web` provides it; surfaces do not import each other. */
export interface HttpPage {
  /** Tools that only the page may call, under /page/tools. */
  readonly tools: readonly Tool[];
  /** Its other routes, for the OpenAPI document. */
  readonly paths: Readonly<Record<string, object>>;
  /** True if the page's own script sent the request. */
  isPage(request: Request): boolean;
  /** True if the request needs no bearer token. */
  isAdmitted(request: Request): boolean;
  /** False for a browser's request that is not the page's. */
  mayWrite(request: Request): boolean;
  /** Shows the progress of a tool that the page runs. */
  progressOf(tool: Tool): Progress;
  addRoutes(hono: Hono): void;
}
