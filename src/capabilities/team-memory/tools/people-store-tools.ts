import { z } from "zod";
import { defineTool } from "../../../core/tool.ts";
import { counted, type LoadMemory, table } from "./schemas.ts";

const Strings = z.array(z.string()).readonly();

/** Commands for the whole store. */
export const peopleStoreTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "memory_init",
    description: "Create the context store of this project.",
    effect: "writes",
    audience: "people",
    command: {
      words: "init",
      examples: ["contextful memory init --name my-project", "contextful memory init --merge-driver"],
    },
    input: z.object({
      name: z.string().optional().describe("Name of the project; default: the name of its directory"),
      repo_url: z.string().default("").describe("Address of its repository"),
      merge_driver: z
        .boolean()
        .default(false)
        .describe("Let plain git merges in this clone merge the store's files as a pull does"),
    }),
    output: z.object({
      status: z.literal("ok"),
      name: z.string(),
      directory: z.string(),
      merge_driver: z.string().optional(),
    }),
    run: async (input) => ({ status: "ok" as const, ...(await (await memory()).init(input)) }),
    show: ({ name, directory, merge_driver }) =>
      `The context store of ${name} is in ${directory}${merge_driver ? `\nThe merge driver is set in ${merge_driver}` : ""}`,
  }),
  defineTool({
    room: "team-memory",
    name: "memory_status",
    description: "What the context store holds, and what in it cannot be read.",
    effect: "reads",
    audience: "people",
    command: { words: "status", examples: ["contextful memory status --json"] },
    input: z.object({}),
    output: z.looseObject({ initialised: z.boolean(), project: z.string(), problems: Strings }),
    run: async () => ({ ...(await (await memory()).summary()) }),
    show: showStatus,
  }),
  defineTool({
    room: "team-memory",
    name: "memory_audit",
    description:
      "Find duplicates, suspects, stale entries, secrets, instructions to agents and entries that nobody reads.",
    effect: "reads",
    audience: "people",
    command: {
      words: "audit",
      examples: ["contextful memory audit", "contextful memory audit --stale-days 90 --only secret"],
      exitCode: ({ findings }) => (findings.some(({ kind }) => SERIOUS.has(kind)) ? 4 : 0),
    },
    input: z.object({
      stale_days: z.int().min(1).default(180).describe("Entries not written for this long are stale"),
      only: z.array(z.string()).default([]).describe("Only these kinds of findings"),
    }),
    output: z.object({
      findings: z.array(z.object({ kind: z.string(), file: z.string(), detail: z.string() })),
    }),
    run: async ({ stale_days, only }) => {
      const findings = await (await memory()).audit({ staleDays: stale_days });
      return { findings: findings.filter(({ kind }) => only.length === 0 || only.includes(kind)) };
    },
    show: ({ findings }) =>
      table(findings.map(({ kind, file, detail }) => [kind, file, detail])) || "Nothing found.",
  }),
];

/** Findings a pipeline should stop at. */
const SERIOUS = new Set(["secret", "suspect", "unreadable"]);

function showStatus(
  summary: Readonly<Record<string, unknown>> & { initialised: boolean; problems: readonly string[] },
): string {
  if (!summary.initialised) return "No context store yet. Create one with: contextful memory init";
  const count = (name: string) => Number(summary[`${name}_count`] ?? 0);
  return [
    `Project: ${String(summary["project"])}`,
    `${count("knowledge")} knowledge, ${counted(count("convention"), "convention")}, ${counted(count("decision"), "decision")}, ${counted(count("skill"), "skill")} (${count("private")} not public)`,
    `Task: ${String(summary["current_task"] || "none")}`,
    ...summary.problems.map((problem) => `problem: ${problem}`),
  ].join("\n");
}
