import { z } from "zod";
import { askGit } from "../../core/git/git.ts";
import type { App } from "../../core/room-offer.ts";
import { toolCaller } from "./tool-caller.ts";

const Directories = z.object({
  entries: z.array(
    z.object({
      scope: z.string(),
      state: z.enum(["fresh", "stale", "missing"]),
      summary: z.string().optional(),
      content_changed: z.boolean().optional(),
    }),
  ),
});
const Files = z.object({
  files: z.array(z.object({ path: z.string(), language: z.string(), lines: z.int(), symbols: z.int() })),
});
/** Columns, because a large project has tens of thousands of files. */
export const ProjectMap = z.object({
  paths: z.array(z.string()),
  lines: z.array(z.int()),
  symbols: z.array(z.int()),
  languages: z.array(z.string()),
  changes: z.array(z.int()).describe("Commits of the last year that changed the file"),
  directories: z.record(z.string(), z.object({ state: z.string(), summary: z.string() })),
});

const MAX_COMMITS = "5000";

export async function projectMap(app: App, signal: AbortSignal): Promise<z.input<typeof ProjectMap>> {
  const { ask } = toolCaller(app, signal);
  const [{ files }, directories, changes] = await Promise.all([
    ask("code_files").then((listed) => Files.parse(listed)),
    ask("list_contexts").then((listed) => Directories.parse(listed).entries),
    changesOfFiles(app.machine.root, signal),
  ]);
  return {
    paths: files.map(({ path }) => path),
    lines: files.map(({ lines }) => lines),
    symbols: files.map(({ symbols }) => symbols),
    languages: files.map(({ language }) => language),
    changes: files.map(({ path }) => changes.get(path) ?? 0),
    directories: Object.fromEntries(
      directories.map(({ scope, state, summary = "", content_changed }) => [
        scope,
        // Only the times changed: what the context says still holds.
        { state: content_changed === false ? "fresh" : state, summary },
      ]),
    ),
  };
}

/** Empty outside a git repository. */
async function changesOfFiles(root: string, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const names = await askGit(
    [
      "log",
      "-z",
      "--since=1.year",
      `--max-count=${MAX_COMMITS}`,
      "--no-renames",
      "--name-only",
      "--relative",
      "--format=",
    ],
    { cwd: root, signal },
  ).catch(() => undefined);
  const changes = new Map<string, number>();
  for (const name of (names ?? "").split("\0")) {
    const path = name.trimStart();
    if (path !== "") changes.set(path, (changes.get(path) ?? 0) + 1);
  }
  return changes;
}
