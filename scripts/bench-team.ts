/**
 * A team's servers and workers as real processes on a real PostgreSQL: `npm run bench:team [PATH] [-- --projects N]`. Each
 * directory of a Go tree, or of the path given, becomes a repository of the team.
 */
import { parseArgs } from "node:util";
import { reportServers } from "./bench-team-servers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { projects: { type: "string", default: "40" } },
});
const [tree = "/usr/share/go-1.19/src"] = positionals;
await reportServers({ tree, projects: Number(values.projects) });
