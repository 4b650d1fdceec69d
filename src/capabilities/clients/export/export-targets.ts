import type { ClientId } from "../client.ts";

export type Instructions =
  | "AGENTS.md"
  | "GEMINI.md"
  | ".github/copilot-instructions.md"
  | ".cursor/rules/contextful.mdc";

/** The files and folders each client reads instructions and skills from. */
export const EXPORTS = {
  "claude-code": { instructions: "AGENTS.md", bridge: "CLAUDE.md", skills: ".claude/skills" },
  cline: { instructions: "AGENTS.md", skills: ".agents/skills" },
  codex: { instructions: "AGENTS.md", skills: ".agents/skills" },
  cursor: { instructions: ".cursor/rules/contextful.mdc", skills: ".agents/skills" },
  devin: { instructions: "AGENTS.md", skills: ".agents/skills" },
  gemini: { instructions: "GEMINI.md", skills: ".agents/skills" },
  opencode: { instructions: "AGENTS.md", skills: ".agents/skills" },
  vscode: { instructions: ".github/copilot-instructions.md", skills: ".agents/skills" },
  zed: { instructions: "AGENTS.md", skills: ".agents/skills" },
} as const satisfies Record<ClientId, { instructions: Instructions; bridge?: string; skills: string }>;

/** The line in CLAUDE.md that includes AGENTS.md. */
export const BRIDGE = "@AGENTS.md";
