import { homedir } from "node:os";
import { join } from "node:path";
import { DomainError } from "../../core/errors.ts";
import { acquireLock } from "../../core/lock/lock.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { askToWrite } from "./ask-to-write.ts";
import { CLIENT_IDS, isClientId, type Surroundings } from "./client.ts";
import { openJournal } from "./journal.ts";
import { type Order, ordersOf } from "./orders.ts";
import { type PlannedFile, planFor, rowOf, snippetFor } from "./plan.ts";
import { projectRoot } from "./project-root.ts";
import type { SetupInput, SetupReport } from "./setup-report.ts";
import { undoAll } from "./undo.ts";
import { writeAll } from "./write-plan.ts";

export interface Setup {
  run(input: SetupInput, call: Call): Promise<SetupReport>;
}

export function makeSetup(machine: Machine, rooms: readonly string[]): Setup {
  const where: Surroundings = {
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
      const orders = ordersOf(input, where, rooms);
      if (input.print) return { files: [], written: false, snippet: snippets(orders) };
      const planned = orders.map((order) => planOf(order, where));
      const rows = planned.map(rowOf);
      const answer = input.yes || input.plan ? undefined : await askToWrite(rows, call);
      const isWanted = !input.plan && (input.yes || answer === "yes");
      if (!isWanted) return { files: rows, written: false, answer };
      const files = await locked(machine, call, () => writeAll(planned, { journal, root: where.root }));
      return { files, written: true, answer };
    },
  };
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

function planOf({ client, scope, start, launch }: Order, where: Surroundings): PlannedFile {
  const plan = planFor(client, scope, { where, start });
  if (!launch.isLocal || scope === "user" || plan.change === undefined) return plan;
  const warning = "It names paths of this machine: use --launch npx in a file others share.";
  return { ...plan, note: `${plan.note} ${warning}`.trim() };
}

function snippets(orders: readonly Order[]): string {
  const texts = orders.map(({ client, start }) => ({ client, text: snippetFor(client, start) }));
  if (texts.length === 1) return texts[0]?.text ?? "";
  return texts.map(({ client, text }) => `# ${client.title}\n${text}`).join("\n");
}
