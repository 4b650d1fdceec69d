import type { Hono } from "hono";
import { silentProgress } from "../../core/progress.ts";
import type { App } from "../../core/room-offer.ts";
import { builtFiles, PAGE_FILES, pageFile, SAFE_HEADERS } from "./page-files.ts";
import { PAGE_PATHS } from "./page-paths.ts";
import { PAGE_HEADER } from "./page-session.ts";
import { highlightTool } from "./page-tools.ts";

interface TeamPageOptions {
  readonly version: string;
  /** Where the built files are. Default: beside the program. */
  readonly files?: URL;
}

/**
 * The page of a team's server. Its files are the same for everybody and need no token. Everything else it shows comes from calls
 * with the access token of the person, which its script sends: there is no cookie that another site could use.
 */
export const openTeamPage = ({ version, files = builtFiles() }: TeamPageOptions) => ({
  file: (path: string) => pageFile(path, files),
  /** The page for one access token. */
  pageFor(app: App) {
    const tools = [...app.tools.filter(({ audience }) => audience === "people"), highlightTool];
    const isPage = (request: Request) => request.headers.has(PAGE_HEADER);
    const { "/events": _events, ...paths } = PAGE_PATHS;
    return {
      tools,
      paths,
      isPage,
      isAdmitted: (request: Request) => new URL(request.url).pathname in PAGE_FILES,
      mayWrite: () => true,
      progressOf: () => silentProgress,
      addRoutes(hono: Hono): void {
        hono.use("/page/*", async (context, next) => {
          await next();
          for (const [name, value] of Object.entries(SAFE_HEADERS)) context.res.headers.set(name, value);
        });
        hono.get("/page/session", (context) => {
          context.header("Cache-Control", "no-store");
          const names = [...app.tools, ...tools]
            .filter(({ effect }) => effect === "reads")
            .flatMap(({ name, agentView }) => [name, ...(agentView ? [agentView.name] : [])]);
          const about = { token: "team", version, root: "", read_only: true, is_team: true };
          return context.json({ ...about, tools: [...new Set(names)] });
        });
      },
    };
  },
});
