import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DomainError } from "../../core/errors.ts";
import { type Jail, openJail } from "../../core/files/jail.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import type { ExportInput, ExportReport, ImportInput, ImportReport } from "./exchange-report.ts";
import {
  EXPORTS,
  exportedSkills,
  type PlannedExport,
  planExport,
  readText,
  writtenAt,
} from "./export-plan.ts";
import { importFiles } from "./import-files.ts";
import { CLIENT_IDS, type ClientId } from "./known-clients.ts";
import { findBlock } from "./managed-block.ts";
import type { MemoryForClients } from "./memory-for-clients.ts";

export interface Exchange {
  export(input: ExportInput, call: Call): Promise<ExportReport>;
  import(input: ImportInput, call: Call): Promise<ImportReport>;
}

/** Between the team's memory and the files clients read. */
export function makeExchange(machine: Machine, memory: MemoryForClients): Exchange {
  return {
    async export({ client, check, plan }) {
      const jail = await openJail(machine.root);
      const clients = client === undefined ? await exportedBefore(jail, check) : [client];
      const all = await sharedOf(memory);
      const rows = new Map<string, PlannedExport>();
      for (const each of clients)
        for (const row of await planExport(jail, each, all)) rows.set(`${row.file} ${row.note}`, row);
      const files = [...rows.values()];
      if (!check && !plan) for (const row of files) await write(jail, row);
      return { files: files.map(({ after: _after, ...row }) => row), written: !check && !plan };
    },
    import: (input, call) => importFiles(machine.root, memory, { input, call }),
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

async function exportedBefore(jail: Jail, check: boolean): Promise<ClientId[]> {
  if (!check)
    throw new DomainError("invalid_input", `Name a client: contextful export ${CLIENT_IDS.join("|")}.`);
  const seen = new Map<string, ClientId>();
  for (const client of CLIENT_IDS) {
    const { instructions, ...rest } = EXPORTS[client];
    // AGENTS.md serves many; one of them stands for all, Claude Code only where its bridge is.
    const file = "bridge" in rest ? rest.bridge : instructions;
    const text = await readText(jail, file);
    if (text !== undefined && findBlock(text) !== undefined && !seen.has(file)) seen.set(file, client);
  }
  // Claude Code alone also leaves a block in AGENTS.md; others are meant only where their skills are there too.
  const isForOthers = (await exportedSkills(jail, ".agents/skills")).size > 0;
  if (seen.has("CLAUDE.md") && !isForOthers) seen.delete("AGENTS.md");
  return [...seen.values()];
}

async function write(jail: Jail, { file, action, after }: PlannedExport): Promise<void> {
  if (after !== undefined) await jail.write(await writtenAt(jail, file), after);
  if (action !== "remove") return;
  const real = await jail.resolve(file);
  await rm(real);
  // Only where nothing else is in it.
  await rmdir(dirname(real)).catch(() => undefined);
}
