import type { Hono } from "hono";
import type { Progress, ProgressStep } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import type { Tool } from "../../core/tool.ts";
import type { CallLog } from "../call-log.ts";
import { PageEvents } from "./page-events.ts";
import { builtFiles, PAGE_FILES, pageFile, SAFE_HEADERS } from "./page-files.ts";
import { PAGE_PATHS } from "./page-paths.ts";
import { isFromBrowser, isOwnSite, PageSession } from "./page-session.ts";
import { pageTools } from "./page-tools.ts";
import { servedPeopleTools } from "./people-tools.ts";

export { openTeamPage } from "./team-page.ts";

/**
 * The page for people: what the index holds, what agents were given, what the team's memory says. It calls the tools over
 * HTTP as any client does. This surface adds its files, its session, its events and the few tools that only it needs.
 */
interface PageOptions {
  readonly version: string;
  readonly calls: CallLog;
  /** The bearer token of the server, if it has one. */
  readonly token?: string | undefined;
  readonly isReadOnly?: boolean;
  /** Where the built files are. Default: beside the program. */
  readonly files?: URL;
}

export function openPage(app: App, options: PageOptions) {
  const { version, calls, token, isReadOnly = false, files = builtFiles() } = options;
  const session = new PageSession(token);
  const events = new PageEvents(app, calls);
  const tools: readonly Tool[] = [
    ...servedPeopleTools(app.tools, isReadOnly),
    ...pageTools(app, { calls, version }),
  ];
  return {
    tools,
    paths: PAGE_PATHS,
    isPage: (request: Request) => session.isPage(request) && isOwnSite(request),
    /** Requests that need no bearer token: the page's files, and a browser that has already given the token. */
    isAdmitted: (request: Request) =>
      new URL(request.url).pathname in PAGE_FILES || (session.hasCookie(request) && isOwnSite(request)),
    /** Programs write with the tools as ever. A browser writes only for the page. */
    mayWrite: (request: Request) =>
      !isFromBrowser(request) || (session.isPage(request) && isOwnSite(request)),
    progressOf: ({ name }: Tool): Progress => ({
      report: (step: ProgressStep) => events.send("progress", { tool: name, ...step }),
      note: () => {},
    }),
    addRoutes(hono: Hono): void {
      hono.use("/page/*", async (context, next) => {
        if (!isOwnSite(context.req.raw)) return new Response(null, { status: 403, headers: SAFE_HEADERS });
        await next();
        for (const [name, value] of Object.entries(SAFE_HEADERS)) context.res.headers.set(name, value);
        return undefined;
      });
      for (const path of Object.keys(PAGE_FILES)) {
        hono.get(path, async (context) => (await pageFile(path, files)) ?? context.notFound());
      }
      hono.get("/page/session", (context) => {
        const { machine } = app;
        context.header("Set-Cookie", session.setCookie(context.req.raw));
        context.header("Cache-Control", "no-store");
        const names = [...app.tools, ...tools].filter((tool) => !isReadOnly || tool.effect === "reads");
        return context.json({
          token: session.token,
          version,
          root: machine.root,
          read_only: isReadOnly,
          tools: [
            ...new Set(
              names.flatMap(({ name, agentView }) => [name, ...(agentView ? [agentView.name] : [])]),
            ),
          ],
        });
      });
      hono.get("/events", (context) => {
        if (!session.hasCookie(context.req.raw) || !isOwnSite(context.req.raw))
          return new Response(null, { status: 403, headers: SAFE_HEADERS });
        return events.stream(context.req.raw.signal);
      });
    },
  };
}
