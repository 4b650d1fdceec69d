import { rm, rmdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DomainError, errnoOf } from "../../core/errors.ts";
import { type Jail, openJail } from "../../core/files/jail.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { CLIENT_IDS, type ClientId } from "./client.ts";
import type { ExportInput, ExportReport, ImportInput, ImportReport } from "./exchange-report.ts";
import { planExport } from "./export/export-plan.ts";
import { exportedSkills } from "./export/export-skills.ts";
import { BRIDGE, EXPORTS } from "./export/export-targets.ts";
import { findBlock } from "./export/managed-block.ts";
import type { PlannedExport } from "./export/planned-export.ts";
import { readText } from "./export/rule-file.ts";
import { importFiles } from "./import/import-files.ts";
import type { MemoryForClients } from "./memory-for-clients.ts";
import { projectRoot } from "./project-root.ts";

export interface Exchange {
  export(input: ExportInput, call: Call): Promise<ExportReport>;
  import(input: ImportInput, call: Call): Promise<ImportReport>;
}

/** Between the team's memory and the files clients read. */
export function makeExchange(machine: Machine, memory: MemoryForClients): Exchange {
  return {
    async export({ client, check, plan }) {
      const jail = await openJail(projectRoot(machine.root));
      const clients = client === undefined ? await exportedBefore(jail, check) : [client];
      const all = await sharedOf(memory);
      const rows = new Map<string, PlannedExport>();
      for (const each of clients)
        for (const row of await planExport(jail, each, all)) rows.set(`${row.file} ${row.note}`, row);
      const isWritten = !check && !plan;
      const files = isWritten ? await writeAll(jail, [...rows.values()]) : [...rows.values()];
      return { files: files.map(({ after: _after, ...row }) => row), written: isWritten };
    },
    import: (input, call) => importFiles(projectRoot(machine.root), memory, { input, call }),
  };
}

/** Only what is public leaves the memory. */
async function sharedOf(memory: MemoryForClients) {
  const isPublic = ({ scope }: { readonly scope: string }) => scope === "public";
  return {
    conventions: (await memory.listText("convention")).filter(isPublic),
    knowledge: (await memory.listText("knowledge")).filter(isPublic),
    decisions: (await memory.listDecisions()).filter(isPublic),
    skills: (await memory.listSkills()).filter(isPublic),
  };
}

/** Clients whose files show that we exported for them. AGENTS.md serves many; one of them stands for all. */
async function exportedBefore(jail: Jail, check: boolean): Promise<ClientId[]> {
  if (!check)
    throw new DomainError("invalid_input", `Name a client: contextful export ${CLIENT_IDS.join("|")}.`);
  const blockIn = async (file: string) => findBlock((await readText(jail, file)) ?? "");
  const hasSkills = async (folder: string) => (await exportedSkills(jail, folder)).size > 0;
  const others: ClientId[] = [];
  for (const client of ["cursor", "gemini", "vscode"] as const)
    if (await blockIn(EXPORTS[client].instructions)) others.push(client);
  // A CLAUDE.md that is a link to AGENTS.md holds a block too, yet no bridge.
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

/** What cannot be written is told, and the rest is written all the same. */
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
  if (after !== undefined) await jail.write(await writtenAt(jail, file), after);
  if (action !== "remove") return;
  const real = await jail.resolve(file);
  await rm(real);
  // Only where nothing else is in it.
  await rmdir(dirname(real)).catch(() => undefined);
}

/** Where a file that may be a link inside the project is really written. */
async function writtenAt(jail: Jail, file: string): Promise<string> {
  const real = await jail.resolve(file).catch(() => join(jail.root, file));
  return relative(jail.root, real).replaceAll("\\", "/");
}
