import { z } from "zod";
import { defineTool } from "../../../core/tool.ts";
import { MemorySkill, SkillStats } from "../entries/schemas.ts";
import { type LoadMemory, table } from "./schemas.ts";

const SkillReview = SkillStats.extend({ comments: z.array(z.string()) });

/** Commands for skills. */
export const peopleSkillTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "memory_skill_get",
    description: "Print a skill's SKILL.md.",
    effect: "reads",
    audience: "people",
    command: {
      words: "skill get",
      positional: ["name"],
      examples: ["contextful memory skill get run-tests"],
    },
    input: z.object({ name: z.string().describe("Name of the skill") }),
    output: MemorySkill,
    run: async ({ name }) => (await memory()).getSkill(name),
    show: ({ content }) => content,
  }),
  defineTool({
    room: "team-memory",
    name: "memory_skill_list",
    description: "List the skills.",
    effect: "reads",
    audience: "people",
    command: { words: "skill list", examples: ["contextful memory skill list"] },
    input: z.object({}),
    output: z.array(MemorySkill),
    run: async () => (await memory()).listSkills(),
    show: (skills) =>
      skills.map(({ name, scope, description }) => `${name}  ${scope}  ${description}`).join("\n") ||
      "Nothing yet.",
  }),
  defineTool({
    room: "team-memory",
    name: "memory_skill_stats",
    description: "How often each skill is used and how it is rated.",
    effect: "reads",
    audience: "people",
    command: { words: "skill stats", examples: ["contextful memory skill stats --sort rating"] },
    input: z.object({
      sort: z.enum(["name", "usage", "rating"]).default("name").describe("Order of the list"),
    }),
    output: z.array(SkillStats),
    run: async ({ sort }) => {
      const stats = await (await memory()).skillStats();
      if (sort === "usage") return stats.toSorted((a, b) => b.usage_count - a.usage_count);
      return sort === "rating" ? stats.toSorted((a, b) => (a.avg_rating ?? 6) - (b.avg_rating ?? 6)) : stats;
    },
    show: (stats) =>
      table([
        ["skill", "used", "rating", "ratings", ""],
        ...stats.map((one) => [
          one.skill,
          String(one.usage_count),
          String(one.avg_rating ?? "-"),
          String(one.rating_count),
          one.needs_attention ? "needs attention" : "",
        ]),
      ]),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_skill_review",
    description: "The skills that need attention, with the last comments on each.",
    effect: "reads",
    audience: "people",
    command: { words: "skill review", examples: ["contextful memory skill review"] },
    input: z.object({}),
    output: z.array(SkillReview),
    run: async () => (await memory()).skillReview(),
    show: (skills) =>
      skills
        .map(({ skill, avg_rating, comments }) =>
          [`${skill}  ${avg_rating}`, ...comments.map((text) => `  ${text}`)].join("\n"),
        )
        .join("\n") || "No skill needs attention.",
  }),
  defineTool({
    room: "team-memory",
    name: "memory_skill_apply_proposal",
    description:
      "Accept or reject a proposal for a skill. Refused without --force if the skill changed since.",
    effect: "writes",
    audience: "people",
    command: {
      words: "skill apply-proposal",
      positional: ["skill_name", "id"],
      examples: [
        "contextful memory skill apply-proposal run-tests 3f2a",
        "contextful memory skill apply-proposal run-tests 3f2a --reject",
      ],
    },
    input: z.object({
      skill_name: z.string().describe("Name of the skill"),
      id: z.string().describe("The proposal's id, or enough of its beginning"),
      reject: z.boolean().default(false).describe("Reject it"),
      force: z.boolean().default(false).describe("Accept it even if the skill has changed since"),
    }),
    output: z.object({
      status: z.enum(["accepted", "rejected"]),
      proposal_id: z.string(),
      skill_name: z.string(),
    }),
    run: async ({ skill_name, id, reject, force }, { actor, signal }) => {
      const wanted = { name: skill_name, idPrefix: id, accept: !reject, force };
      const proposal = await (await memory()).resolveProposal(wanted, { actor, signal });
      const status = reject ? ("rejected" as const) : ("accepted" as const);
      return { status, proposal_id: proposal.id, skill_name: proposal.skill_name };
    },
    show: ({ status, proposal_id, skill_name }) => `${status} ${proposal_id} for ${skill_name}`,
  }),
];
