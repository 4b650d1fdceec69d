import { DomainError } from "../../../core/errors.ts";
import { refuseTooWide } from "../../../core/files/allowed-roots.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import type { Contexts } from "../contexts.ts";
import { checkOf, statusOf } from "../freshness/health.ts";
import { rehash } from "../freshness/rehash.ts";
import { type RegenerateOptions, regenerate } from "../generate/regenerate.ts";
import { readBounded } from "../read/read-context.ts";
import { contextFileOf, locate } from "../read/scope.ts";
import { withContentChanges } from "../read/survey.ts";
import { examine } from "./doctor.ts";
import { ignoreDirectory } from "./ignore-directory.ts";
import { statsOf } from "./stats.ts";
import { validate } from "./validate.ts";
import { watchContexts } from "./watch.ts";

export type DirectoryWork = ReturnType<typeof openDirectoryWork>;

type Regeneration = Omit<RegenerateOptions, "root" | "dryRun"> & {
  readonly path?: string | undefined;
  readonly dry_run: boolean;
};

/** What people do with contexts at a terminal. */
export function openDirectoryWork(machine: Machine, contexts: Contexts) {
  const surveyOf = async (path: string | undefined, call: Call) =>
    withContentChanges(await contexts.survey(await contexts.root(path), call.signal), call.signal);
  return {
    async regenerate({ path, dry_run, ...options }: Regeneration, call: Call) {
      const root = await contexts.root(path);
      if (!options.force) refuseTooWide(root, "--force");
      return regenerate({ machine, contexts }, { ...options, root, dryRun: dry_run }, call);
    },
    rehash: async (path: string | undefined, call: Call) => rehash(contexts, await contexts.root(path), call),
    ignore: async (dir: string, path?: string) => ignoreDirectory(await contexts.root(path), dir),
    status: async (path: string | undefined, call: Call) => statusOf(await surveyOf(path, call)),
    check: async (path: string | undefined, call: Call) => checkOf(await surveyOf(path, call)),
    stats: async (path: string | undefined, call: Call) => statsOf(await surveyOf(path, call)),
    validate: async ({ path, strict }: { path?: string | undefined; strict: boolean }, call: Call) =>
      validate(contexts, { root: await contexts.root(path), strict }, call),
    doctor: async (path: string | undefined, call: Call) =>
      examine({ machine, contexts }, await contexts.root(path), call.signal),
    watch: async ({ path, interval }: { path?: string | undefined; interval: number }, call: Call) =>
      watchContexts(contexts, { root: await contexts.root(path), interval }, call),
    show: async (dir: string, path?: string) => showContext(await contexts.root(path), dir),
  };
}

function showContext(root: string, dir: string): { readonly scope: string; readonly text: string } {
  const place = locate(root, dir);
  if (place.kind === "outside") throw new DomainError("forbidden_path", `Not inside the project: ${dir}`);
  const file = place.kind === "inside" ? contextFileOf(root, place.directory) : place;
  const text = file.kind === "inside" ? readBounded(file.directory) : undefined;
  if (place.kind === "inside" && typeof text === "string") return { scope: place.path, text };
  throw new DomainError(
    "not_found",
    `No context in ${dir}. Run contextful directories init, or regen ${dir}.`,
  );
}
