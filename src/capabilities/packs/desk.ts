import type { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import { stripInvisible } from "../../core/hygiene/index.ts";
import type { Machine } from "../../core/machine.ts";
import { byCodeUnit } from "../../core/order.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import type { Call } from "../../core/tool.ts";
import { changeItems } from "./changes.ts";
import type { Chosen } from "./choose.ts";
import { type ChangeSet, readChanges } from "./git-range.ts";
import type { Gathered, PackRoom, PackSource } from "./item.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { compare, entryOf, type LedgerEntry } from "./ledger-entry.ts";
import { assemble, type Pack, packIdOf } from "./pack.ts";
import { sizeName } from "./receipt.ts";
import type { PackInput, PackOutput, VerifyOutput } from "./tools.ts";

interface DeskParts {
  readonly machine: Machine;
  readonly sources: () => Promise<readonly PackSource[]>;
  /** Where the packs given for a project are remembered. */
  readonly ledgers: (root: string) => string;
}
type Request = z.output<typeof PackInput>;
/** The header quotes the task; a long one must not eat the budget. */
const TASK_TOKENS = 60;

export interface PackDesk {
  pack(request: Request, call: Call): Promise<z.output<typeof PackOutput>>;
  verify(packId: string, path: string | undefined, call: Call): Promise<z.output<typeof VerifyOutput>>;
}

/** Takes a task, asks the rooms, and hands out the pack. */
export function openPackDesk({ machine, sources, ledgers }: DeskParts): PackDesk {
  const make = async (request: Request, call: Call) => {
    const root = await machine.roots.directory(request.path);
    const ledger = openLedger(ledgers(root));
    const earlier = await Promise.all((request.except ?? []).map((id) => ledger.find(id)));
    const changes =
      request.diff === undefined ? undefined : await readChanges(root, request.diff, call.signal);
    const gathered = await gather(await sources(), { request, root, changes }, call.signal);
    const count = await loadTokenizer();
    const identity = [
      request.task,
      request.budget,
      request.rooms ?? null,
      changes?.commits ?? null,
      [...(request.except ?? [])].sort(byCodeUnit),
    ];
    const packId = packIdOf(identity, gathered);
    const task = shorten(stripInvisible(request.task.replaceAll(/\s+/g, " ")).text.trim(), count);
    const given = new Set(earlier.flatMap((entry) => Object.keys(entry.items)));
    const pack = assemble({ header: { packId, task, budget: request.budget }, gathered, given, count });
    return { packId, pack, ledger, entry: entryOf(packId, request, { pack, gathered }) };
  };

  return {
    async pack(request, call) {
      const { packId, pack, ledger, entry } = await make(request, call);
      await remember(ledger, entry, machine);
      return outputOf(packId, request, pack);
    },
    async verify(packId, path, call) {
      const root = await machine.roots.directory(path);
      const before = await openLedger(ledgers(root)).find(packId);
      const { entry } = await make({ ...before.request, path: root }, call);
      return compare(before, entry);
    },
  };
}

async function gather(
  sources: readonly PackSource[],
  { request, root, changes }: { request: Request; root: string; changes: ChangeSet | undefined },
  signal: AbortSignal,
): Promise<Map<PackRoom, Gathered>> {
  const wanted = sources.filter(
    ({ room }) => request.rooms === undefined || request.rooms.some((name) => name === room),
  );
  const asked = { task: request.task, root, changes: changes?.changes ?? [] };
  const answers = wanted.map(
    async (source): Promise<[PackRoom, Gathered]> => [source.room, await source.gather(asked, signal)],
  );
  const changed = changes === undefined ? [] : [gatherChanges(root, changes, signal)];
  return new Map(await Promise.all([...answers, ...changed]));
}

async function gatherChanges(
  root: string,
  changes: ChangeSet,
  signal: AbortSignal,
): Promise<[PackRoom, Gathered]> {
  const items = await changeItems(root, changes, signal);
  return ["packs", { items, state: sha256(JSON.stringify([changes.commits, items])) }];
}

function shorten(task: string, count: (text: string) => number): string {
  const characters = [...task].slice(0, 300);
  let end = characters.length;
  while (end > 0 && count(characters.slice(0, end).join("")) > TASK_TOKENS) end = Math.floor(end * 0.8);
  const kept = characters.slice(0, end).join("");
  return kept.length < task.length ? `${kept}…` : task;
}

/** A pack that was made is given, even where it cannot be remembered. */
async function remember(ledger: Ledger, entry: LedgerEntry, { logger }: Machine): Promise<void> {
  await ledger
    .record(entry)
    .catch((cause: unknown) => logger.error("This pack could not be remembered.", cause));
}

function outputOf(
  packId: string,
  request: Request,
  { text, tokens, items, receipt }: Pack,
): z.output<typeof PackOutput> {
  return {
    pack_id: packId,
    task: request.task,
    budget: request.budget,
    tokens,
    items: items.map(itemOutput),
    receipt,
    markdown: text,
  };
}

function itemOutput({ item, size }: Chosen): z.output<typeof PackOutput>["items"][number] {
  const given = item.sizes[size];
  return {
    id: item.id,
    room: item.room,
    kind: item.kind,
    title: item.title,
    size: sizeName(item, size),
    score: item.score,
    why: item.why,
    provenance: item.provenance,
    freshness: item.freshness,
    path: given?.citation.path ?? "",
    start: given?.citation.start ?? 0,
    end: given?.citation.end ?? 0,
    text: given?.text ?? "",
    orders: [...(given?.orders ?? [])],
    redacted: [...(given?.redacted ?? [])],
  };
}
