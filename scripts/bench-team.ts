/**
 * A team's servers and workers as real processes on a real PostgreSQL: `npm run bench:team [PATH] [-- --projects N]`. Each
 * directory of a Go tree, or of the path given, becomes a repository of the team; `--copies N` registers each N times.
 * `--many DIRECTORY` asks one server over many projects: each repository in the directory at up to `--commits N` commits. With
 * `--database URL` they are published once and stay.
 * `--repository PATH` measures the index of one repository instead: publish, follow, search, a second work tree.
 * `--timing CALLS` compares the times of answers about hidden and about absent projects. `--built` runs `dist/` as it is.
 */
import { parseArgs } from "node:util";
import { reportIndex } from "./bench-team-index.ts";
import { reportMany } from "./bench-team-many.ts";
import { reportServers } from "./bench-team-servers.ts";
import { reportTiming } from "./bench-team-timing.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    projects: { type: "string", default: "40" },
    copies: { type: "string", default: "1" },
    repository: { type: "string" },
    many: { type: "string" },
    commits: { type: "string", default: "4" },
    database: { type: "string" },
    timing: { type: "string" },
    built: { type: "boolean", default: false },
  },
});
const [tree = "/usr/share/go-1.19/src"] = positionals;
const isBuilt = values.built;
if (values.repository !== undefined) await reportIndex(values.repository, { isBuilt });
else if (values.many !== undefined)
  await reportMany({
    directory: values.many,
    isBuilt,
    database: values.database,
    commits: Number(values.commits),
  });
else if (values.timing !== undefined) await reportTiming({ isBuilt }, Number(values.timing));
else await reportServers({ tree, isBuilt, projects: Number(values.projects), copies: Number(values.copies) });
