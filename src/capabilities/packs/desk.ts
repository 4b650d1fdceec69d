import type { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import { stripInvisible } from "../../core/hygiene/index.ts";
import type { Machine } from "../../core/machine.ts";
import { byCodeUnit } from "../../core/order.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import type { Call, Room } from "../../core/tool.ts";
import { changeItems } from "./changes.ts";
import { type ChangeSet, readChanges } from "./git-range.ts";
import type { Gathered, PackSource } from "./item.ts";
import { type Ledger, type LedgerEntry, openLedger } from "./ledger.ts";
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
    const changes = request.diff === undefined ? undefined : await readChanges(root, request.diff);
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
      const { entry } = await make(
        { ...before.request, path: root, rooms: roomsOf(before), except: before.request.except },
        call,
      );
      return compare(before, entry);
    },
  };
}

const roomsOf = (entry: LedgerEntry) => entry.request.rooms as Request["rooms"]; // our own file, checked against the input when it was written

async function gather(
  sources: readonly PackSource[],
  { request, root, changes }: { request: Request; root: string; changes: ChangeSet | undefined },
  signal: AbortSignal,
): Promise<Map<Room, Gathered>> {
  const wanted = sources.filter(
    ({ room }) => request.rooms === undefined || request.rooms.some((name) => name === room),
  );
  const asked = { task: request.task, root, changes: changes?.changes ?? [] };
  const answers = wanted.map(
    async (source): Promise<[Room, Gathered]> => [source.room, await source.gather(asked, signal)],
  );
  const changed = changes === undefined ? [] : [gatherChanges(root, changes)];
  return new Map(await Promise.all([...answers, ...changed]));
}

async function gatherChanges(root: string, changes: ChangeSet): Promise<[Room, Gathered]> {
  const items = await changeItems(root, changes);
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

function entryOf(
  packId: string,
  request: Request,
  { pack, gathered }: { pack: Pack; gathered: ReadonlyMap<Room, Gathered> },
): LedgerEntry {
  const { task, budget, path, rooms, diff, except } = request;
  return {
    pack_id: packId,
    request: {
      task,
      budget,
      ...(path !== undefined && { path }),
      ...(rooms !== undefined && { rooms: [...rooms] }),
      ...(diff !== undefined && { diff }),
      ...(except !== undefined && { except: [...except] }),
    },
    states: Object.fromEntries([...gathered].map(([room, { state }]) => [room, state])),
    items: Object.fromEntries(
      pack.items.map(({ item, size }) => [item.id, sha256(item.sizes[size]?.text ?? "")]),
    ),
    text_sha256: sha256(pack.text),
  };
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
    items: items.map(({ item, size }) => ({
      id: item.id,
      room: item.room,
      kind: item.kind,
      title: item.title,
      size: sizeName(item, size),
      score: item.score,
      why: item.why,
      provenance: item.provenance,
      freshness: item.freshness,
      path: item.sizes[size]?.citation.path ?? "",
      start: item.sizes[size]?.citation.start ?? 0,
      end: item.sizes[size]?.citation.end ?? 0,
      text: item.sizes[size]?.text ?? "",
      orders: [...(item.sizes[size]?.orders ?? [])],
      redacted: [...(item.sizes[size]?.redacted ?? [])],
    })),
    receipt,
    markdown: text,
  };
}

function compare(before: LedgerEntry, now: LedgerEntry): z.output<typeof VerifyOutput> {
  const isSame = before.text_sha256 === now.text_sha256;
  const ids = [...new Set([...Object.keys(before.items), ...Object.keys(now.items)])].sort(byCodeUnit);
  const rooms = [...new Set([...Object.keys(before.states), ...Object.keys(now.states)])].sort(byCodeUnit);
  const differing = (kind: "added" | "removed" | "changed") =>
    ids.filter((id) => {
      const [old, fresh] = [before.items[id], now.items[id]];
      if (old === undefined) return kind === "added";
      if (fresh === undefined) return kind === "removed";
      return kind === "changed" && old !== fresh;
    });
  return {
    pack_id: before.pack_id,
    same: isSame,
    pack_id_now: now.pack_id,
    rooms_changed: rooms.filter((room) => before.states[room] !== now.states[room]),
    added: differing("added"),
    removed: differing("removed"),
    changed: differing("changed"),
  };
}
