import type { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import { stripInvisible } from "../../core/hygiene/index.ts";
import type { Machine } from "../../core/machine.ts";
import { byCodeUnit } from "../../core/order.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import type { Call } from "../../core/tool.ts";
import type { Chosen } from "./choose/choose.ts";
import { changeItems } from "./gather/changes.ts";
import { type ChangeSet, readChanges } from "./gather/git-range.ts";
import type { Gathered, OpenPackSources, PackRoom } from "./item.ts";
import { assemble, type Pack, packIdOf } from "./pack.ts";
import {
  compareRecords,
  openPackHistory,
  type PackHistory,
  type PackRecord,
  recordOf,
} from "./pack-history.ts";
import { sizeName } from "./render/receipt.ts";
import type { PackInput, PackOutput, VerifyOutput } from "./tools.ts";

interface PackBuilderParts {
  readonly machine: Machine;
  readonly loadSources: () => Promise<OpenPackSources>;
  /** The directory that keeps the packs built for a project. */
  readonly historyDirectory: (root: string) => string;
}
type PackOrder = z.output<typeof PackInput>;
/** The header quotes the task; a long task must not use up the budget. */
const TASK_TOKENS = 60;

export interface PackBuilder {
  pack(request: PackOrder, call: Call): Promise<z.output<typeof PackOutput>>;
  verify(packId: string, path: string | undefined, call: Call): Promise<z.output<typeof VerifyOutput>>;
}

/** Gathers items from the rooms and builds a pack from them. */
export function openPackBuilder({ machine, loadSources, historyDirectory }: PackBuilderParts): PackBuilder {
  const build = async (request: PackOrder, call: Call) => {
    const root = await machine.roots.directory(request.path);
    const history = openPackHistory(historyDirectory(root));
    const earlier = await Promise.all((request.except ?? []).map((id) => history.find(id)));
    const changes =
      request.diff === undefined ? undefined : await readChanges(root, request.diff, call.signal);
    const gathered = await gather(await loadSources(), { request, root, changes }, call);
    const count = await loadTokenizer();
    const identity = [
      request.task,
      request.budget,
      request.rooms ?? null,
      changes?.commits ?? null,
      [...(request.except ?? [])].sort(byCodeUnit),
      request.receipt ?? null,
    ];
    const packId = packIdOf(identity, gathered);
    const task = shorten(stripInvisible(request.task.replaceAll(/\s+/g, " ")).text.trim(), count);
    const given = new Set(earlier.flatMap(({ items }) => Object.keys(items)));
    const header = { packId, task, budget: request.budget };
    const pack = assemble({ header, gathered, given, receipt: request.receipt ?? "short", count });
    return { packId, pack, history, record: recordOf(packId, request, { pack, gathered }) };
  };

  return {
    async pack(request, call) {
      const { packId, pack, history, record } = await build(request, call);
      await addToHistory(history, record, machine);
      return outputOf(packId, request, pack);
    },
    async verify(packId, path, call) {
      const root = await machine.roots.directory(path);
      const before = await openPackHistory(historyDirectory(root)).find(packId);
      const { record } = await build({ ...before.request, path: root }, call);
      return compareRecords(before, record);
    },
  };
}

async function gather(
  openSources: OpenPackSources,
  { request, root, changes }: { request: PackOrder; root: string; changes: ChangeSet | undefined },
  call: Call,
): Promise<Map<PackRoom, Gathered>> {
  const sources = openSources(
    { task: request.task, budget: request.budget, root, changes: changes?.changes ?? [] },
    call,
  );
  const wanted = sources.filter(
    ({ room }) => request.rooms === undefined || request.rooms.some((name) => name === room),
  );
  const answers = wanted.map(
    async (source): Promise<[PackRoom, Gathered]> => [source.room, await source.gather()],
  );
  const changed = changes === undefined ? [] : [gatherChanges(root, changes, call.signal)];
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

/** The caller gets the pack even if the history cannot be written. */
async function addToHistory(history: PackHistory, record: PackRecord, { logger }: Machine): Promise<void> {
  await history
    .add(record)
    .catch((cause: unknown) => logger.error("This pack could not be added to the history.", cause));
}

function outputOf(
  packId: string,
  request: PackOrder,
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
