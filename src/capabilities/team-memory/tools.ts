import type { Tool } from "../../core/tool.ts";
import { peopleDecisionTools } from "./tools/people-decision-tools.ts";
import { peopleSkillTools } from "./tools/people-skill-tools.ts";
import { peopleStateTools } from "./tools/people-state-tools.ts";
import { peopleStoreTools } from "./tools/people-store-tools.ts";
import { peopleTextTools } from "./tools/people-text-tools.ts";
import { proposalTools } from "./tools/proposal-tools.ts";
import type { LoadMemory } from "./tools/schemas.ts";
import { searchTools } from "./tools/search-tools.ts";
import { skillTools } from "./tools/skill-tools.ts";
import { stateTools } from "./tools/state-tools.ts";
import { textTools } from "./tools/text-tools.ts";

/** The tools that need no git, in the order of the contract; after them the commands that only people have. */
export const teamMemoryTools = (memory: LoadMemory): Tool[] => [
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
];
