import { rm, rmdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { type Jail, openJail } from "../../../core/files/jail.ts";
import { CLIENT_IDS, type ClientId } from "../client.ts";
import type { MemoryForClients } from "../memory-for-clients.ts";
import { planExport } from "./export-plan.ts";
import type { ExportInput, ExportReport } from "./export-report.ts";
import { exportedSkills } from "./export-skills.ts";
import { BRIDGE, EXPORTS } from "./export-targets.ts";
import { findBlock } from "./managed-block.ts";
import type { PlannedExport } from "./planned-export.ts";
import { readText } from "./rule-file.ts";

/** Writes the public entries of the memory into the files a client reads. */
export async function exportMemory(
  root: string,
  memory: MemoryForClients,
  { client, check, plan }: ExportInput,
): Promise<ExportReport> {
  const jail = await openJail(root);
  const clients = client === undefined ? await exportedBefore(jail, check) : [client];
  const shared = await sharedEntries(memory);
  const rows = new Map<string, PlannedExport>();
  for (const each of clients)
    for (const row of await planExport(jail, each, shared)) rows.set(`${row.file} ${row.note}`, row);
  const isWritten = !check && !plan;
  const files = isWritten ? await writeAll(jail, [...rows.values()]) : [...rows.values()];
  return { files: files.map(({ after: _after, ...row }) => row), written: isWritten };
}

/** Only public entries leave the memory. */
async function sharedEntries(memory: MemoryForClients) {
  const isPublic = ({ scope }: { readonly scope: string }) => scope === "public";
  return {
    conventions: (await memory.listText("convention")).filter(isPublic),
    knowledge: (await memory.listText("knowledge")).filter(isPublic),
    decisions: (await memory.listDecisions()).filter(isPublic),
    skills: (await memory.listSkills()).filter(isPublic),
  };
}

/** Clients whose files show an earlier export. Many clients read AGENTS.md; Codex stands for all of them. */
async function exportedBefore(jail: Jail, check: boolean): Promise<ClientId[]> {
  if (!check)
    throw new DomainError("invalid_input", `Name a client: contextful export ${CLIENT_IDS.join("|")}.`);
  const blockIn = async (file: string) => findBlock((await readText(jail, file)) ?? "");
  const hasSkills = async (folder: string) => (await exportedSkills(jail, folder)).size > 0;
  const others: ClientId[] = [];
  for (const client of ["cursor", "gemini", "vscode"] as const)
    if (await blockIn(EXPORTS[client].instructions)) others.push(client);
  // A CLAUDE.md that is a link to AGENTS.md has a block, but no bridge.
  const isForClaude =
    (await blockIn("CLAUDE.md"))?.body.trim() === BRIDGE || (await hasSkills(".claude/skills"));
  // Claude Code also leaves a block in AGENTS.md, and the others leave skills in the same folder.
  const hasShared = await hasSkills(".agents/skills");
  const isForAgents = (await blockIn("AGENTS.md"))
    ? hasShared || !isForClaude
    : hasShared && others.length === 0;
  return [
    ...(isForClaude ? ["claude-code" as const] : []),
    ...(isForAgents ? ["codex" as const] : []),
    ...others,
  ];
}

/** A file that cannot be written is reported; the others are still written. */
async function writeAll(jail: Jail, rows: readonly PlannedExport[]): Promise<PlannedExport[]> {
  const written: PlannedExport[] = [];
  for (const row of rows) {
    try {
      await write(jail, row);
      written.push(row);
    } catch (thrown) {
      const why = thrown instanceof DomainError ? thrown.message : errnoOf(thrown);
      if (why === undefined) throw thrown;
      written.push({ file: row.file, action: "refused", note: `it cannot be written (${why})`, diff: "" });
    }
  }
  return written;
}

async function write(jail: Jail, { file, action, after }: PlannedExport): Promise<void> {
  if (after !== undefined) await jail.write(await realTarget(jail, file), after);
  if (action !== "remove") return;
  const real = await jail.resolve(file);
  await rm(real);
  // Only if it is empty.
  await rmdir(dirname(real)).catch(() => undefined);
}

/** The real path of a file that may be a link inside the project. */
async function realTarget(jail: Jail, file: string): Promise<string> {
  const real = await jail.resolve(file).catch(() => join(jail.root, file));
  return relative(jail.root, real).replaceAll("\\", "/");
}
