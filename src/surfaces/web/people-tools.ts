import type { Tool } from "../../core/tool.ts";

/** Commands for people that the page may call too. All others need a terminal. */
const SERVED = new Set([
  "code_files",
  "documents_stats",
  "documents_sync",
  "evaluation_report",
  "memory_audit",
  "memory_decision_list",
  "memory_decision_rm",
  "memory_knowledge_list",
  "memory_push_plan",
  "memory_skill_apply_proposal",
  "memory_skill_list",
  "memory_skill_stats",
  "memory_status",
]);

export const servedPeopleTools = (tools: readonly Tool[], isReadOnly: boolean): readonly Tool[] =>
  tools.filter(({ name, effect }) => SERVED.has(name) && !(isReadOnly && effect === "writes"));
