import { z } from "zod";
import { defineCommand, defineTool } from "../../../core/tool.ts";
import { AddedSkill, Removal, ScopeInput } from "../entries/schemas.ts";
import { contentOf, FromFile } from "./content-input.ts";
import { AllowSecret, type LoadMemory, meant, notFoundExit } from "./schemas.ts";

const AddedSkillAnswer = z.object({ status: z.literal("ok"), ...AddedSkill.shape });
/** Some clients send every argument as text. */
const Rating = z
  .preprocess(
    (given) => (typeof given === "string" && /^\d$/.test(given) ? Number(given) : given),
    z.number(),
  )
  .describe("1 to 5");
const skillName = z.string().describe("Name of the skill");
const description = z.string().describe("What it does and when to use it");

const addCommand = defineCommand({
  words: "skill add",
  description: "Add or overwrite a skill.",
  positional: ["name", "instructions"],
  examples: ['contextful memory skill add run-tests --description "Run all tests" --file steps.md'],
  form: z.object({
    name: z.string().describe("a-z, 0-9 and dashes"),
    instructions: z.string().optional().describe("Markdown body"),
    description,
    file: FromFile.describe("Read the body from this file; - for standard input"),
    scope: ScopeInput,
    allow_secret: AllowSecret,
  }),
  toInput: ({ instructions, file, ...skill }) => ({ ...skill, instructions: contentOf(instructions, file) }),
});

/** Skills, their use and their ratings, as the contract names them. */
export const skillTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "context_add_skill",
    title: "Add skill",
    description:
      "Store a reusable procedure for agents as a SKILL.md made from name, description and instructions; a skill of that name is overwritten and keeps its ratings.",
    effect: "writes",
    command: addCommand,
    input: z.object({
      name: z.string().describe("a-z, 0-9 and dashes, e.g. deploy-staging"),
      description,
      instructions: z.string().describe("Markdown body"),
      scope: ScopeInput,
    }),
    viewInput: z.object({ allow_secret: AllowSecret }),
    output: AddedSkillAnswer,
    run: async ({ allow_secret: allowSecret, ...skill }, { actor, signal }) => ({
      status: "ok" as const,
      ...(await (await memory()).addSkill(skill, { actor, signal, allowSecret })),
    }),
    show: ({ name, created, scope }) => `${created ? "Added" : "Updated"} ${name}, ${scope}`,
  }),
  defineTool({
    room: "team-memory",
    name: "context_remove_skill",
    title: "Remove skill",
    description: "Remove a skill with its usage, ratings and proposals. Answers removed or not_found.",
    effect: "writes",
    command: {
      words: "skill rm",
      positional: ["name"],
      examples: ["contextful memory skill rm run-tests"],
      exitCode: notFoundExit,
    },
    input: z.object({ name: skillName }),
    output: Removal.extend({ name: z.string() }),
    run: async ({ name }, { actor, signal }) => ({
      ...(await (await memory()).removeSkill(name, { actor, signal })),
      name,
    }),
    show: ({ status, name, did_you_mean }) =>
      status === "removed" ? `Removed ${name}` : `No skill '${name}'${meant(did_you_mean)}`,
  }),
  defineTool({
    room: "team-memory",
    name: "context_report_skill_usage",
    title: "Report skill use",
    description: "Record that you used a skill, so that the team sees which ones matter.",
    effect: "writes",
    command: {
      words: "skill use",
      positional: ["skill_name"],
      examples: ["contextful memory skill use run-tests"],
    },
    input: z.object({ skill_name: skillName }),
    output: z.object({ status: z.literal("ok"), event_id: z.string() }),
    run: async ({ skill_name }, { actor, signal }) => ({
      status: "ok" as const,
      event_id: await (await memory()).reportUsage(skill_name, { actor, signal }),
    }),
    show: ({ event_id }) => `Recorded ${event_id}`,
  }),
  defineTool({
    room: "team-memory",
    name: "context_rate_skill",
    title: "Rate skill",
    description:
      "Rate a skill you used from 1 (poor) to 5 (excellent). Two ratings or more that average below 3 mark it for review.",
    effect: "writes",
    command: {
      words: "skill rate",
      positional: ["skill_name", "rating"],
      examples: ['contextful memory skill rate run-tests 2 --comment "Step 3 fails"'],
    },
    input: z.object({
      skill_name: skillName,
      rating: Rating,
      comment: z.string().default("").describe("What was good or wrong"),
    }),
    output: z.object({ status: z.literal("ok"), feedback_id: z.string() }),
    run: async ({ skill_name, rating, comment }, { actor, signal }) => ({
      status: "ok" as const,
      feedback_id: await (await memory()).rateSkill({ name: skill_name, rating, comment }, { actor, signal }),
    }),
    show: ({ feedback_id }) => `Recorded ${feedback_id}`,
  }),
];
