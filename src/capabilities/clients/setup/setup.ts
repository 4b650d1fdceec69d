import { homedir } from "node:os";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock } from "../../../core/lock/lock.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import { CLIENT_IDS, isClientId, type UserEnvironment } from "../client.ts";
import { projectRoot } from "../project-root.ts";
import { openJournal } from "./journal.ts";
import { type PlannedFile, planFor, rowOf, snippetFor } from "./plan.ts";
import { choosePush } from "./push-choice.ts";
import { isToWrite, type SetupInput, type SetupReport, type SetupRow, showPlan } from "./setup-report.ts";
import { type SetupTarget, setupTargets } from "./setup-targets.ts";
import { undoAll } from "./undo.ts";
import { writeAll } from "./write-plan.ts";

export interface Setup {
  run(input: SetupInput, call: Call): Promise<SetupReport>;
}

export function makeSetup(machine: Machine, rooms: readonly string[]): Setup {
  const where: UserEnvironment = {
    root: projectRoot(machine.root),
    home: machine.env["HOME"] || machine.env["USERPROFILE"] || homedir(),
    env: machine.env,
    platform: process.platform,
  };
  const journal = openJournal(machine.home);
  return {
    async run(input, call) {
      checkNames(input.clients);
      if (input.undo && input.plan) return undoAll(where.root, journal, input);
      if (input.undo) return locked(machine, call, () => undoAll(where.root, journal, input));
      const targets = setupTargets(input, where, rooms);
      if (input.print) return { files: [], written: false, snippet: snippets(targets) };
      const planned = targets.map((target) => planOf(target, where));
      const rows = planned.map(rowOf);
      const answer = input.yes || input.plan ? undefined : await askToWrite(rows, call);
      const isWanted = !input.plan && (input.yes || answer === "yes");
      if (!isWanted) return { files: rows, written: false, answer };
      const files = await locked(machine, call, () => writeAll(planned, { journal, root: where.root }));
      if (answer === "yes") await choosePush(machine, call);
      return { files, written: true, answer };
    },
  };
}

/** The answer of the person; `undefined` if there is nothing to write or nobody to ask. */
async function askToWrite(rows: readonly SetupRow[], { confirm }: Call): Promise<SetupReport["answer"]> {
  const count = rows.filter(isToWrite).length;
  if (count === 0 || confirm === undefined) return undefined;
  const question = count === 1 ? "Write this file?" : `Write these ${count} files?`;
  return (await confirm(`${showPlan(rows)}\n`, question)) ? "yes" : "no";
}

async function locked<T>(machine: Machine, call: Call, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock({
    directory: join(machine.home, "locks"),
    name: "clients-setup",
    purpose: "changing the configuration of clients",
    waitMs: 30_000,
    signal: call.signal,
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function checkNames(names: readonly string[]): void {
  const unknown = names.find((name) => !isClientId(name));
  if (unknown !== undefined)
    throw new DomainError("invalid_input", `Unknown client: ${unknown}. Known: ${CLIENT_IDS.join(", ")}.`);
}

function planOf({ client, scope, start, launch }: SetupTarget, where: UserEnvironment): PlannedFile {
  const plan = planFor(client, scope, { where, start });
  if (!launch.isLocal || scope === "user" || plan.change === undefined) return plan;
  const warning = "It names paths of this machine: use --launch command in a file others share.";
  return { ...plan, note: `${plan.note} ${warning}`.trim() };
}

function snippets(targets: readonly SetupTarget[]): string {
  const texts = targets.map(({ client, start }) => ({ client, text: snippetFor(client, start) }));
  if (texts.length === 1) return texts[0]?.text ?? "";
  return texts.map(({ client, text }) => `# ${client.title}\n${text}`).join("\n");
}
