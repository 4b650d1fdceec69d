import type { Tool } from "../../core/tool.ts";
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
export const teamMemoryTools = (memory: LoadMemory, sync: LoadSync): Tool[] => [
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
];
