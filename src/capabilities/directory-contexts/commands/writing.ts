import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import { GenerationReport, RehashReport } from "../reports.ts";
import type { DirectoryActions } from "./actions.ts";
import { agents, command, dir, dryRun, force, full, llm, path, yes } from "./fields.ts";

/** Commands that write context files. */
export const writingCommands = (actions: () => Promise<DirectoryActions>): Tool[] => [
  defineTool({
    room: "directory-contexts",
    name: "directories_init",
    description: "Describe every directory of the project in a .context.yaml, from its files alone.",
    effect: "writes",
    audience: "people",
    command: {
      words: "init",
      examples: ["contextful directories init", "contextful directories init --with claude"],
      exitCode,
    },
    input: z.object({ path, full, llm, with: command, yes, agents, force, dry_run: dryRun }),
    output: GenerationReport,
    run: async (input, call) => (await actions()).init(input, call),
    show: showGeneration,
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_regen",
    description: "Update contexts that no longer match the files; what people wrote stays.",
    effect: "writes",
    audience: "people",
    command: {
      words: "regen",
      positional: ["dir"],
      examples: ["contextful directories regen --stale", "contextful directories regen src --dry-run"],
      exitCode,
    },
    input: z.object({
      dir: dir.optional(),
      path,
      stale: z.boolean().default(false).describe("Only contexts that are stale or missing"),
      full,
      llm,
      with: command,
      yes,
      agents,
      force,
      dry_run: dryRun,
    }),
    output: GenerationReport,
    run: async (input, call) => (await actions()).regenerate(input, call),
    show: showGeneration,
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_rehash",
    description: "Confirm that every context is still true: set its fingerprint and change nothing else.",
    effect: "writes",
    audience: "people",
    command: { words: "rehash", examples: ["contextful directories rehash"], exitCode },
    input: z.object({ path }),
    output: RehashReport,
    run: async (input, call) => (await actions()).rehash(input.path, call),
    show: ({ rehashed, fresh, failed }) =>
      [
        ...failed.map(({ scope, reason }) => `failed ${scope}: ${reason}`),
        `${rehashed.length} ${rehashed.length === 1 ? "context" : "contexts"} marked as true; ${fresh} already fresh.`,
      ].join("\n"),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_ignore",
    description: "Exclude a directory and everything below it from contexts, with a line in .contextignore.",
    effect: "writes",
    audience: "people",
    command: {
      words: "ignore",
      positional: ["dir"],
      examples: ["contextful directories ignore src/generated"],
    },
    input: z.object({ dir, path }),
    output: z.object({ pattern: z.string(), added: z.boolean() }),
    run: async (input) => (await actions()).ignore(input.dir, input.path),
    show: ({ pattern, added }) =>
      added ? `Added ${pattern} to .contextignore.` : `${pattern} is in .contextignore already.`,
  }),
];

const exitCode = ({ failed }: { readonly failed: readonly unknown[] }) => (failed.length > 0 ? 1 : 0);

function showGeneration(report: z.output<typeof GenerationReport>): string {
  const would = report.dry_run ? "would be " : "";
  return [
    ...(report.diff ? [report.diff.trimEnd()] : []),
    ...report.kept.map(({ scope, fields }) => `kept in ${scope}: ${fields.join(", ")}`),
    ...report.skipped.map(({ scope, reason }) => `left alone ${scope}: ${reason}`),
    ...report.failed.map(({ scope, reason }) => `failed ${scope}: ${reason}`),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...(report.left_out.length === 0 ? [] : [leftOutText(report.left_out)]),
    `${report.created.length} contexts ${would}created, ${report.updated.length} ${would}updated, ${report.unchanged} unchanged${report.agents_md === "skipped" ? "" : `; AGENTS.md ${report.agents_md}`}.`,
  ].join("\n");
}

function leftOutText(scopes: readonly string[]): string {
  const shown = scopes.slice(0, MAX_LEFT_OUT_SHOWN).join(", ");
  const more = scopes.length > MAX_LEFT_OUT_SHOWN ? ` and ${scopes.length - MAX_LEFT_OUT_SHOWN} more` : "";
  return `No context for ${shown}${more}: the files do not say what the directory is for. Add a README or a comment, or write one with: contextful directories regen DIR`;
}
const MAX_LEFT_OUT_SHOWN = 10;
