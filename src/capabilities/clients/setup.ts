import { homedir } from "node:os";
import { join } from "node:path";
import { DomainError } from "../../core/errors.ts";
import { acquireLock } from "../../core/lock/lock.ts";
import type { Machine } from "../../core/machine.ts";
import { type Call, ROOMS } from "../../core/tool.ts";
import { findClients } from "./detect.ts";
import { openJournal } from "./journal.ts";
import {
  CLIENT_IDS,
  clientOf,
  isClientId,
  type KnownClient,
  type Scope,
  type Start,
  type Surroundings,
} from "./known-clients.ts";
import { type Launch, launchOf } from "./launch.ts";
import { type PlannedFile, planFor, rowOf, snippetFor } from "./plan.ts";
import { projectRoot } from "./project-root.ts";
import type { SetupInput, SetupReport } from "./setup-report.ts";
import { undoAll } from "./undo.ts";
import { writeAll } from "./write-plan.ts";

export interface Setup {
  run(input: SetupInput, call: Call): Promise<SetupReport>;
}

export function makeSetup(machine: Machine): Setup {
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
      const orders = ordersOf(input, where);
      if (input.print) return { files: [], written: false, snippet: snippets(orders) };
      const planned = orders.map((order) => planOf(order, where));
      if (!input.yes || input.plan) return { files: planned.map(rowOf), written: false };
      const files = await locked(machine, call, () => writeAll(planned, { journal, root: where.root }));
      return { files, written: true };
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

interface Order {
  readonly client: KnownClient;
  readonly scope: Scope;
  readonly start: Start;
  readonly launch: Launch;
}

function ordersOf(input: SetupInput, where: Surroundings): Order[] {
  checkProfile(input.tools);
  const running = { node: process.execPath, script: process.argv[1] ?? "", platform: where.platform };
  const launch = launchOf(input.launch, running);
  const profile = input.tools === "all" ? [] : ["--tools", input.tools];
  return chosen(input.clients, where).map((client) => {
    const hasProject = client.file("project", where) !== undefined;
    const scope = input.scope ?? (hasProject ? "project" : "user");
    const root = scope === "project" && client.openFolder ? ["--root", client.openFolder] : [];
    const args = [...launch.args, "mcp", "--tool-names", "safe", ...profile, ...root];
    const start = { command: launch.command, args, env: { MCP_CALLER: `mcp:${client.id}` } };
    return { client, scope, start, launch };
  });
}

function planOf({ client, scope, start, launch }: Order, where: Surroundings): PlannedFile {
  const plan = planFor(client, scope, { where, start });
  if (!launch.isLocal || scope === "user" || plan.change === undefined) return plan;
  const warning = "It names paths of this machine: use --launch npx in a file others share.";
  return { ...plan, note: `${plan.note} ${warning}`.trim() };
}

function checkNames(names: readonly string[]): void {
  const unknown = names.find((name) => !isClientId(name));
  if (unknown !== undefined)
    throw new DomainError("invalid_input", `Unknown client: ${unknown}. Known: ${CLIENT_IDS.join(", ")}.`);
}

function chosen(names: readonly string[], where: Surroundings): KnownClient[] {
  if (names.length > 0) return names.filter(isClientId).map(clientOf);
  const found = findClients(where);
  if (found.length > 0) return found;
  throw new DomainError(
    "not_found",
    `No client was found. Name one: contextful setup ${CLIENT_IDS.join("|")}.`,
  );
}

/** A profile the server would not start with must not get into a file. */
function checkProfile(profile: string): void {
  if (profile === "all" || profile === "lean") return;
  const unknown = profile.split(",").find((room) => !ROOMS.some((known) => known === room.trim()));
  if (unknown !== undefined)
    throw new DomainError(
      "invalid_input",
      `Unknown tools: ${unknown}. Use all, lean, or rooms: ${ROOMS.join(", ")}.`,
    );
}

function snippets(orders: readonly Order[]): string {
  const texts = orders.map(({ client, start }) => ({ client, text: snippetFor(client, start) }));
  if (texts.length === 1) return texts[0]?.text ?? "";
  return texts.map(({ client, text }) => `# ${client.title}\n${text}`).join("\n");
}
