import { z } from "zod";
import { isRecord } from "../../core/json.ts";
import type { AgentView, Tool } from "../../core/tool.ts";
import { conflictTools } from "./tools/conflict-tools.ts";
import { peopleDecisionTools } from "./tools/people-decision-tools.ts";
import { peopleSkillTools } from "./tools/people-skill-tools.ts";
import { peopleStateTools } from "./tools/people-state-tools.ts";
import { peopleStoreTools } from "./tools/people-store-tools.ts";
import { peopleSyncTools } from "./tools/people-sync-tools.ts";
import { peopleTextTools } from "./tools/people-text-tools.ts";
import { proposalTools } from "./tools/proposal-tools.ts";
import type { LoadMemory, LoadSync } from "./tools/schemas.ts";
import { searchTools } from "./tools/search-tools.ts";
import { skillTools } from "./tools/skill-tools.ts";
import { stateTools } from "./tools/state-tools.ts";
import { syncTools } from "./tools/sync-tools.ts";
import { textTools } from "./tools/text-tools.ts";

/** The 27 tools of the contract in its order, and the commands that only people have. */
export const teamMemoryTools = (
  memory: LoadMemory,
  sync: LoadSync,
  sharingNotice: LoadSharingNotice,
): Tool[] =>
  [
    ...searchTools(memory),
    ...textTools(memory),
    ...skillTools(memory),
    ...proposalTools(memory),
    ...stateTools(memory),
    ...peopleStoreTools(memory),
    ...peopleTextTools(memory),
    ...peopleDecisionTools(memory),
    ...peopleStateTools(memory),
    ...peopleSkillTools(memory),
    ...syncTools(sync),
    ...conflictTools(sync),
    ...peopleSyncTools(sync),
  ].map((tool) => withSharingNotice(tool, sharingNotice));

/** What an agent must know about a public entry it has just written; `undefined`: it is not shared by itself. */
type LoadSharingNotice = () => Promise<string | undefined>;

const NOTICED = new Set([
  "context_add_knowledge",
  "context_add_convention",
  "context_record_decision",
  "context_add_skill",
]);

function withSharingNotice(tool: Tool, load: LoadSharingNotice): Tool {
  if (!NOTICED.has(tool.name) || !(tool.output instanceof z.ZodObject)) return tool;
  const { agentView } = tool;
  return {
    ...tool,
    output: tool.output.extend(SHARING),
    ...(agentView && { agentView: withShownNotice(agentView) }),
    async run(input, call) {
      const output = await tool.run(input, call);
      const isPublic = isRecord(output) && (output["scope"] ?? "public") === "public";
      // Agents call servers, which push when they end; a person's command does not.
      const sharing = isPublic && call.caller === "agent" ? await load() : undefined;
      return isPublic && sharing !== undefined ? { ...output, sharing } : output;
    },
  };
}

const SHARING = { sharing: z.string().optional() };

const withShownNotice = (view: AgentView): AgentView => ({
  ...view,
  show(output, form) {
    const { sharing } = z.object(SHARING).parse(output);
    const shown = view.show?.(output, form) ?? "";
    return sharing === undefined ? shown : `${shown}\n${sharing}`;
  },
});
