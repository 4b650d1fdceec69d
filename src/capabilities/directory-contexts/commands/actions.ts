import { join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { refuseTooWide } from "../../../core/files/allowed-roots.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import type { Contexts } from "../contexts.ts";
import { statOf } from "../freshness/fingerprint.ts";
import { isOutOfDate, statusOf } from "../freshness/status.ts";
import { isFailure, strictFindings } from "../freshness/strict-findings.ts";
import { hasAgentsSection } from "../generate/agents-file.ts";
import { type RegenerateOptions, regenerate } from "../generate/regenerate.ts";
import { updateContext } from "../generate/write-context.ts";
import { parseContext, readBounded } from "../read/read-context.ts";
import { contextFileOf, locateScope } from "../read/scope.ts";
import { withContentChanges } from "../read/survey.ts";
import type { RehashReport, StatusReport } from "../reports.ts";
import { CONTEXT_FILE, IGNORE_FILE } from "../schema.ts";
import { watchContexts } from "./watch.ts";

export type DirectoryActions = ReturnType<typeof openDirectoryActions>;

type RegenerateInput = Omit<RegenerateOptions, "root" | "dryRun"> & {
  readonly path?: string | undefined;
  readonly dry_run: boolean;
};
interface StatusInput {
  readonly path?: string | undefined;
  readonly stale: boolean;
  readonly strict: boolean;
}

/** What people do with contexts at a terminal. */
export function openDirectoryActions(machine: Machine, contexts: Contexts) {
  const regenerateAt = async ({ path, dry_run, ...options }: RegenerateInput, call: Call) => {
    const root = await contexts.root(path);
    if (!options.force) refuseTooWide(root, "--force");
    return regenerate({ machine, contexts }, { ...options, root, dryRun: dry_run }, call);
  };
  return {
    regenerate: regenerateAt,
    async init(input: Omit<RegenerateInput, "stale">, call: Call) {
      const agents =
        input.agents ?? (await askForAgents(await contexts.root(input.path), input.dry_run, call));
      return regenerateAt({ ...input, agents, stale: false }, call);
    },
    rehash: async (path: string | undefined, call: Call) => rehash(contexts, await contexts.root(path), call),
    ignore: async (dir: string, path?: string) => ignoreDirectory(await contexts.root(path), dir),
    status: (input: StatusInput, call: Call) => readStatus(contexts, input, call),
    watch: async ({ path, interval }: { path?: string | undefined; interval: number }, call: Call) =>
      watchContexts(contexts, { root: await contexts.root(path), interval }, call),
    show: async (dir: string, path?: string) => showContext(await contexts.root(path), dir),
  };
}

/** AGENTS.md is read by every agent in every session, so only its owner decides what it says. */
async function askForAgents(root: string, isDryRun: boolean, call: Call): Promise<boolean | undefined> {
  if (isDryRun || call.confirm === undefined || hasAgentsSection(root)) return undefined;
  return call.confirm(
    "A short section in AGENTS.md can tell agents what each directory is for.",
    "Write it to AGENTS.md?",
  );
}

async function readStatus(
  contexts: Contexts,
  { path, stale, strict }: StatusInput,
  call: Call,
): Promise<StatusReport> {
  const found = await contexts.surveyNeeded(await contexts.root(path), call.signal);
  const survey = await withContentChanges(found, call.signal);
  const { directories, ...status } = statusOf(survey);
  const findings = strict ? await strictFindings(survey, call) : undefined;
  return {
    ...status,
    directories: stale ? directories.filter(isOutOfDate) : directories,
    ...(findings && { findings }),
    ok: !directories.some(isOutOfDate) && !findings?.some(isFailure),
  };
}

/** Confirms every context as it is: sets its fingerprint and changes nothing else in the file. */
async function rehash(contexts: Contexts, root: string, call: Call): Promise<RehashReport> {
  const { entries } = await contexts.survey(root, call.signal);
  const stale = entries.filter(
    ({ state, directory }) => state === "stale" && directory.listing?.context?.isFile(),
  );
  const report: RehashReport = {
    root,
    rehashed: [],
    fresh: entries.filter(({ state }) => state === "fresh").length,
    failed: [],
  };
  for (const [done, { scope, computed }] of stale.entries()) {
    call.signal.throwIfAborted();
    call.progress.report({ done, total: stale.length, label: "contexts" });
    const reason = await setFingerprint(join(root, scope, CONTEXT_FILE), computed);
    if (reason === undefined) report.rehashed.push(scope);
    else report.failed.push({ scope, reason });
  }
  return report;
}

/** Returns the reason if the file could not be written. */
async function setFingerprint(file: string, fingerprint: string): Promise<string | undefined> {
  const text = readBounded(file);
  if (typeof text !== "string") return text.kind === "missing" ? "it is gone" : text.reason;
  // It was valid in the survey, but a person may be editing it now.
  if (parseContext(text).kind !== "read") return "it was changed meanwhile";
  try {
    await writeFileAtomic(file, updateContext(text, { fingerprint }));
    return undefined;
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined || code === "ENOSPC") throw thrown;
    return `cannot be written (${code})`;
  }
}

/** Adds a directory to `.contextignore`, once. The pattern is anchored and escaped: it matches that directory only. */
async function ignoreDirectory(
  root: string,
  dir: string,
): Promise<{ readonly pattern: string; readonly added: boolean }> {
  const place = locateScope(root, dir);
  const isDirectory = place.kind === "inside" && statOf(place.directory)?.isDirectory() === true;
  if (!isDirectory || place.path === "." || /[\r\n]/.test(place.path)) {
    throw new DomainError("invalid_input", `Not a directory inside the project: ${dir}`, {
      details: { param: "dir" },
    });
  }
  const pattern = `/${place.path.replace(/[\\*?[\]!# ]/g, "\\$&")}/`;
  const file = join(root, IGNORE_FILE);
  const text = readBounded(file);
  if (typeof text !== "string" && text.kind !== "missing") {
    throw new DomainError("conflict", `${IGNORE_FILE} ${text.reason}. Correct it and try again.`);
  }
  const before = typeof text === "string" ? text : "";
  if (before.split(/\r?\n/).includes(pattern)) return { pattern, added: false };
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  await writeFileAtomic(file, `${before}${gap}${pattern}\n`);
  return { pattern, added: true };
}

function showContext(root: string, dir: string): { readonly scope: string; readonly text: string } {
  const place = locateScope(root, dir);
  if (place.kind === "outside") throw new DomainError("forbidden_path", `Not inside the project: ${dir}`);
  const file = place.kind === "inside" ? contextFileOf(root, place.directory) : place;
  const text = file.kind === "inside" ? readBounded(file.directory) : undefined;
  if (place.kind === "inside" && typeof text === "string") return { scope: place.path, text };
  throw new DomainError(
    "not_found",
    `No ${CONTEXT_FILE} in ${dir === "." ? "the root of the project" : dir}.`,
    {
      next: { tool: "directories_init" },
    },
  );
}
