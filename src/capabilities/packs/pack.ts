import { sha256 } from "../../core/hash.ts";
import { byCodeUnit } from "../../core/order.ts";
import { Recent } from "../../core/recent.ts";
import type { Room } from "../../core/tool.ts";
import { type Choice, choose } from "./choose.ts";
import { type Gathered, KINDS, type PackItem } from "./item.ts";
import { findNearDuplicates } from "./near-duplicates.ts";
import { makeReceipt, nextStep, type Omission, type Receipt, renderReceipt } from "./receipt.ts";
import { GAP, type Header, renderBlock, renderHeader, renderParts } from "./render.ts";
import { makeSafe, type SafeItem } from "./safe-item.ts";

/** Below this part of the best score of its room an item is noise. */
const RELEVANT = 0.25;
/** The second thing of one name tells less than the first: twenty tables alike are one answer. */
const SAME_NAME = 0.6;
const RECEIPT_SHARE = 0.08;
const RECEIPT_LEAST = 90;
const RECEIPT_MOST = 600;
/** Headings of the sections. */
const FRAME = 40;
const WORTH_ANOTHER_TRY = 60;

export interface PackInput {
  readonly header: Header;
  readonly gathered: ReadonlyMap<Room, Gathered>;
  /** Ids of items that earlier packs gave. */
  readonly given: ReadonlySet<string>;
  readonly count: (text: string) => number;
}
export interface Pack {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly { readonly item: SafeItem; readonly size: number }[];
  readonly receipt: Receipt;
}

/** The same texts are in one pack after another, and counting is slow. */
const counted = new Recent<number>(8_192);

/** Puts a pack together within its budget: nothing here reads a file, a clock or an order of arrival. */
export function assemble({ header, gathered, given, count: countAnew }: PackInput): Pack {
  const { candidates, omitted } = sift(gathered, given);
  const count = (text: string) => counted.of(text, () => countAnew(text));
  const priceOf = (part: string) => count(part + GAP);
  const costs = new Map<SafeItem, number[]>();
  const costOf = (item: SafeItem, size: number): number => {
    const known = costs.get(item) ?? item.sizes.map((_, each) => priceOf(renderBlock({ item, size: each })));
    costs.set(item, known);
    return known[size] ?? 0;
  };
  const emptyRooms = [...gathered].flatMap(([room, { empty }]) => (empty ? [{ room, ...empty }] : []));
  const receiptRoom = clamp(Math.round(header.budget * RECEIPT_SHARE), RECEIPT_LEAST, RECEIPT_MOST);
  const rest = header.budget - priceOf(renderHeader(header)) - receiptRoom;
  const build = (blockBudget: number): Built => {
    const choice = inOrder(choose(candidates, blockBudget, costOf));
    const spent = choice.chosen.reduce((sum, { item, size }) => sum + costOf(item, size), 0);
    const next = nextStep(header.budget - blockBudget + spent, choice.unaffordable);
    const unbought = choice.unaffordable.filter(
      ({ item }) => !choice.chosen.some((taken) => taken.item === item),
    );
    const tooMuch: Omission[] = [...new Set(unbought.map(({ item }) => item))].map((item) => ({
      item,
      reason: "budget",
    }));
    const receipt = makeReceipt(choice.chosen, [...tooMuch, ...omitted], { next, emptyRooms });
    const parts = renderParts(header, choice.chosen);
    const before = parts.reduce((sum, part) => sum + priceOf(part), 0);
    const finish = (room: number): Pack => {
      const last = renderReceipt(receipt, room, count);
      return {
        text: [...parts, last].join(GAP),
        tokens: before + count(last),
        items: choice.chosen,
        receipt,
      };
    };
    return { ...finish(receiptRoom), before, finish };
  };
  const built = fitInto(build, Math.max(0, rest - FRAME), header.budget);
  const told = built.finish(clamp(header.budget - built.before, receiptRoom, RECEIPT_MOST));
  return told.tokens <= header.budget ? told : built;
}

interface Built extends Pack {
  /** Tokens of all but the receipt, which may have what these leave. */
  readonly before: number;
  finish(receiptRoom: number): Pack;
}

/** Headings and receipt take more or less than was set aside for them. The budget is hard: give way until it holds. */
function fitInto(build: (blockBudget: number) => Built, start: number, budget: number): Built {
  let blockBudget = start;
  let pack = build(blockBudget);
  while (pack.tokens > budget && blockBudget > 0) {
    blockBudget = Math.max(0, blockBudget - Math.max(8, pack.tokens - budget));
    pack = build(blockBudget);
  }
  const unused = budget - pack.tokens;
  if (blockBudget < start || unused < WORTH_ANOTHER_TRY || pack.receipt.next === undefined) return pack;
  const fuller = build(blockBudget + unused - 10);
  return fuller.tokens <= budget ? fuller : pack;
}

interface Sifted {
  readonly candidates: readonly SafeItem[];
  readonly omitted: readonly Omission[];
}

/** Leaves out what was given before, what says the same as something better, and what barely matches. */
function sift(gathered: ReadonlyMap<Room, Gathered>, given: ReadonlySet<string>): Sifted {
  const omitted: Omission[] = [];
  const drop = (item: SafeItem, reason: Omission["reason"]) => {
    omitted.push({ item, reason });
    return [];
  };
  const dropUnread = (item: PackItem, reason: Omission["reason"]) =>
    drop(makeSafe(withoutText(item)), reason);
  const relevant = [...gathered.values()].flatMap(({ items }) => {
    const best = items.reduce((most, item) => Math.max(most, item.score), 0);
    return items.flatMap((item) => {
      if (given.has(item.id)) return dropUnread(item, "excluded");
      if (item.score < best * RELEVANT) return dropUnread(item, "below score");
      const safe = makeSafe(item);
      if (safe.sizes[0]?.text === "") return drop(safe, "stale");
      // Half way between the room's own scale and a common one: a room whose best is poor does not lead.
      return [{ ...safe, value: best === 0 ? 0 : item.score / Math.sqrt(best) }];
    });
  });
  relevant.sort(byScore);
  const duplicates = findNearDuplicates(
    relevant.map((item) => ({
      id: item.id,
      kind: item.kind,
      text: item.sizes[0]?.text ?? "",
      citation: item.sizes[0]?.citation,
    })),
  );
  const names = new Map<string, number>();
  const candidates = relevant.flatMap((item) => {
    if (duplicates.has(item.id)) return drop(item, "duplicate");
    const name = `${item.kind} ${item.title}`;
    const before = names.get(name) ?? 0;
    names.set(name, before + 1);
    return [{ ...item, value: item.value * SAME_NAME ** before }];
  });
  return { candidates, omitted: omitted.sort((a, b) => byScore(a.item, b.item)) };
}

/** For the receipt, which names what was left out and does not quote it. */
const withoutText = (item: PackItem): PackItem => ({
  ...item,
  sizes: item.sizes.map(({ citation }) => ({ text: "", citation })),
});

const inOrder = (choice: Choice): Choice => ({
  ...choice,
  chosen: choice.chosen.toSorted(
    (a, b) => KINDS.indexOf(a.item.kind) - KINDS.indexOf(b.item.kind) || byScore(a.item, b.item),
  ),
});

const byScore = (a: PackItem | SafeItem, b: PackItem | SafeItem) =>
  b.score - a.score || byCodeUnit(a.id, b.id);
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Names everything that went into a pack, so that the same id means the same bytes. */
export function packIdOf(request: unknown, gathered: ReadonlyMap<Room, Gathered>): string {
  const rooms = [...gathered]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([room, { state, items, empty }]) => [room, state, empty ?? null, items.toSorted(byScore)]);
  return sha256(JSON.stringify(["contextful pack 1", request, rooms])).slice(0, 16);
}
