import type { Prompt } from "../../../core/room-offer.ts";
import type { MergeStatus } from "../git-sync/results.ts";
import type { LoadMemory } from "../tools/schemas.ts";

const renderers = () => import("./render-prompts.ts");

/** `status` describes a pending merge. */
export const memoryPrompts = (memory: LoadMemory, status: () => Promise<MergeStatus>): readonly Prompt[] => [
  {
    name: "context_onboarding",
    description: "What the team has settled and knows about this project, for someone who starts now",
    arguments: [],
    render: async () => (await renderers()).onboarding(await memory()),
  },
  {
    name: "context_handoff",
    description: "Where the work stands, for whoever takes over",
    arguments: [],
    render: async () => (await renderers()).handoff(await memory()),
  },
  {
    name: "context_review_decisions",
    description: "Every decision in full, for a review",
    arguments: [],
    render: async () => (await renderers()).review(await memory()),
  },
  {
    name: "context_resolve_conflicts",
    description: "What is in conflict after a pull, and how to settle it",
    arguments: [],
    render: async () => (await renderers()).conflicts(await status()),
  },
];
