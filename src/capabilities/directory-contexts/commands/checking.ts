import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import { path } from "./fields.ts";
import { CheckReport, DoctorReport, StatsReport, StatusReport, ValidationReport } from "./reports.ts";
import type { DirectoryWork } from "./work.ts";

/** Commands that look at all contexts and tell how they are. */
export const checkingCommands = (work: () => Promise<DirectoryWork>): Tool[] => [
  defineTool({
    room: "directory-contexts",
    name: "directories_status",
    description: "Which directories have a context and whether it is fresh.",
    effect: "reads",
    audience: "people",
    command: {
      words: "status",
      examples: ["contextful directories status", "contextful directories status --json"],
    },
    input: z.object({ path }),
    output: StatusReport,
    run: async (input, call) => (await work()).status(input.path, call),
    show: ({ directories, summary }) =>
      [
        ...directories.map(
          ({ scope, state, summary: text, content_changed, problem }) =>
            `${state.padEnd(7)} ${content_changed === false ? "(content unchanged) " : ""}${scope}${text ? `  ${text}` : ""}${problem ? `  ${problem}` : ""}`,
        ),
        `${summary.total} directories: ${summary.fresh} fresh, ${summary.stale} stale, ${summary.missing} missing; ${summary.skipped} too small for a context.`,
      ].join("\n"),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_check",
    description:
      "Whether every context is there, valid and true of the files; with --ci a problem exits with 1.",
    effect: "reads",
    audience: "people",
    command: {
      words: "check",
      examples: ["contextful directories check --ci"],
      exitCode: ({ ok, ci }) => (ci && !ok ? 1 : 0),
    },
    input: z.object({
      path,
      ci: z.boolean().default(false).describe("Exit with 1 where there is a problem"),
    }),
    output: CheckReport.extend({ ci: z.boolean() }),
    run: async (input, call) => ({ ...(await (await work()).check(input.path, call)), ci: input.ci }),
    show: ({ checked, problems }) =>
      [
        ...problems.map(({ scope, problem, detail }) => `${problem.padEnd(7)} ${scope}  ${detail}`),
        problems.length === 0
          ? `All ${checked} contexts hold.`
          : `${problems.length} of ${checked} contexts need care. Run: contextful directories regen --stale`,
      ].join("\n"),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_validate",
    description:
      "Whether context files follow the schema; with --strict also whether they agree with the files.",
    effect: "reads",
    audience: "people",
    command: {
      words: "validate",
      examples: ["contextful directories validate --strict"],
      exitCode: ({ ok }) => (ok ? 0 : 1),
    },
    input: z.object({
      path,
      strict: z.boolean().default(false).describe("Compare with the files too, and fail on warnings"),
    }),
    output: ValidationReport,
    run: async (input, call) => (await work()).validate(input, call),
    show: ({ findings, checked, valid }) =>
      [
        ...findings.map(
          ({ scope, level, rule, message }) => `${level.padEnd(7)} ${scope}  ${rule}: ${message}`,
        ),
        `${valid} of ${checked} contexts are valid.`,
      ].join("\n"),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_doctor",
    description: "Settings, coverage, staleness, validity, AGENTS.md and the model, each with what to do.",
    effect: "reads",
    audience: "people",
    command: {
      words: "doctor",
      examples: ["contextful directories doctor"],
      exitCode: ({ summary }) => (summary.fail > 0 ? 1 : 0),
    },
    input: z.object({ path }),
    output: DoctorReport,
    run: async (input, call) => (await work()).doctor(input.path, call),
    show: ({ checks }) =>
      checks
        .map(({ name, status, message, fix }) => `${status}  ${name}: ${message}${fix ? ` Fix: ${fix}` : ""}`)
        .join("\n"),
  }),
  defineTool({
    room: "directory-contexts",
    name: "directories_stats",
    description: "How much smaller the contexts are than what they describe, and how fresh.",
    effect: "reads",
    audience: "people",
    command: { words: "stats", examples: ["contextful directories stats"] },
    input: z.object({ path }),
    output: StatsReport,
    run: async (input, call) => (await work()).stats(input.path, call),
    show: (stats) =>
      [
        `${stats.tracked} of ${stats.directories} directories described: ${stats.fresh} fresh, ${stats.stale} stale, ${stats.missing} missing.`,
        `${stats.source_tokens} tokens of source, ${stats.context_tokens} tokens of context${comparison(stats)}.`,
        `${stats.hand_written_fields} fields written by people.`,
        ...stats.languages.map(({ language, files }) => `${language}: ${files} files`),
      ].join("\n"),
  }),
];

function comparison({ source_tokens, context_tokens }: StatsReport): string {
  if (source_tokens === 0 || context_tokens === 0) return "";
  const [ratio, word] =
    source_tokens >= context_tokens
      ? [source_tokens / context_tokens, "smaller"]
      : [context_tokens / source_tokens, "larger"];
  return ` (the contexts are ${Math.round(ratio * 10) / 10} times ${word})`;
}
