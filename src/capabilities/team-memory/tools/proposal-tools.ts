import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { defineTool } from "../../../core/tool.ts";
import { PROPOSAL_STATUSES } from "../store/layout.ts";
import type { LoadMemory } from "./schemas.ts";

const LISTED_RATIONALE = 100;
const ListedProposal = z.object({
  id: z.string(),
  skill_name: z.string(),
  agent: z.string(),
  status: z.enum(PROPOSAL_STATUSES),
  diff_summary: z.string(),
  rationale: z.string(),
  created_at: z.string(),
});

/** Proposals to improve skills, as the contract names them. */
export const proposalTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "context_propose_skill_improvement",
    title: "Propose skill improvement",
    description:
      "Propose a whole new SKILL.md for an existing skill, for a person to accept or reject. Answers with the proposal's id and a diff.",
    effect: "writes",
    command: { words: "skill propose", positional: ["skill_name"] },
    input: z.object({
      skill_name: z.string().describe("Name of the skill"),
      proposed_content: z.string().describe("Whole SKILL.md: frontmatter with the same name, then the body"),
      rationale: z.string().default("").describe("Why it is better"),
    }),
    output: z.object({ status: z.literal("ok"), proposal_id: z.string(), diff_summary: z.string() }),
    run: async ({ skill_name, proposed_content, rationale }, { actor, signal }) => {
      const wanted = { name: skill_name, content: proposed_content, rationale };
      const { id, diff_summary } = await (await memory()).propose(wanted, { actor, signal });
      return { status: "ok" as const, proposal_id: id, diff_summary };
    },
    show: ({ proposal_id, diff_summary }) => `Proposal ${proposal_id}\n${diff_summary}`,
  }),
  defineTool({
    room: "team-memory",
    name: "context_list_skill_proposals",
    title: "List skill proposals",
    description:
      "List proposals to improve skills, oldest first, of one skill or of one status (pending, accepted, rejected, upstream). Rationales are cut at 100 characters.",
    effect: "reads",
    command: { words: "skill proposals", examples: ["contextful memory skill proposals --status pending"] },
    input: z.object({
      skill_name: z.string().default("").describe("Empty for all skills"),
      status: z.string().default("").describe("Empty for all"),
    }),
    output: z.array(ListedProposal),
    run: async ({ skill_name, status }) => list(memory, skill_name, status),
    show: (proposals) =>
      proposals.map((one) => `${one.id}  ${one.status}  ${one.skill_name}  ${one.rationale}`).join("\n") ||
      "No proposals.",
  }),
];

async function list(memory: LoadMemory, skill: string, status: string) {
  if (status !== "" && !PROPOSAL_STATUSES.some((known) => known === status)) {
    throw new DomainError(
      "invalid_input",
      `Invalid status '${status}'. Use pending, accepted, rejected, or upstream.`,
      {
        reason: "status",
      },
    );
  }
  const proposals = await (await memory()).proposals(skill);
  return proposals
    .filter((proposal) => status === "" || proposal.status === status)
    .map(({ id, skill_name, agent, status: is, diff_summary, rationale, created_at }) => ({
      id,
      skill_name,
      agent,
      status: is,
      diff_summary,
      rationale: [...rationale].slice(0, LISTED_RATIONALE).join(""),
      created_at,
    }));
}
