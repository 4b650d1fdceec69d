/**
 * A team's servers and workers as real processes on a real PostgreSQL: `npm run bench:team [PATH] [-- --projects N]`. Each
 * directory of a Go tree, or of the path given, becomes a repository of the team. `--repository PATH` measures the index of one repository
 * instead: publish, follow, search.
 */
import { parseArgs } from "node:util";
import { reportIndex } from "./bench-team-index.ts";
import { reportServers } from "./bench-team-servers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { projects: { type: "string", default: "40" }, repository: { type: "string" } },
});
const [tree = "/usr/share/go-1.19/src"] = positionals;
if (values.repository !== undefined) await reportIndex(values.repository);
else await reportServers({ tree, projects: Number(values.projects) });
