import { z } from "zod";

/** Input that several commands share. */
export const path = z.string().optional().describe("The project's directory; default: the one you are in");
export const dir = z.string().describe("A directory of the project, relative to its root");
export const full = z
  .boolean()
  .default(false)
  .describe("Also describe files, interfaces, external dependencies and tests");
export const llm = z
  .boolean()
  .default(false)
  .describe("Let the model of your [llm] configuration write summaries");
export const command = z
  .string()
  .optional()
  .describe(
    "Let a program write summaries: the NAME of a [directories.command.NAME] in your own config.toml",
  );
export const yes = z
  .boolean()
  .default(false)
  .describe("Write what the program of --with wrote without asking");
export const agents = z
  .boolean()
  .optional()
  .describe("Keep a short section about directories in AGENTS.md; default: only if it has one already");
export const force = z
  .boolean()
  .default(false)
  .describe("Replace invalid context files, and accept a home directory as a project");
export const dryRun = z.boolean().default(false).describe("Write nothing; print what would change as a diff");
