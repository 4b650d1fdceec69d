import { sha256 } from "../../core/hash.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { byCodeUnit } from "../../core/order.ts";
import { type Choice, type Chosen, choose } from "./choose.ts";
import { type Gathered, KINDS, type PackRoom } from "./item.ts";
import { makeReceipt, nextStep, type Omission, type Receipt, renderReceipt } from "./receipt.ts";
import { GAP, type Header, renderBlock, renderHeader, renderParts } from "./render.ts";
import type { SafeItem } from "./safe-item.ts";
import { byScore, sift } from "./sift.ts";

const RECEIPT_SHARE = 0.08;
const RECEIPT_LEAST = 90;
const RECEIPT_MOST = 600;
/** Headings of the sections. */
const FRAME = 40;
const WORTH_ANOTHER_TRY = 60;

interface PackParts {
  readonly header: Header;
  readonly gathered: ReadonlyMap<PackRoom, Gathered>;
  /** Ids of items that earlier packs gave. */
  readonly given: ReadonlySet<string>;
  readonly count: (text: string) => number;
}
export interface Pack {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly Chosen[];
  readonly receipt: Receipt;
}

/** Puts a pack together within its budget: nothing here reads a file, a clock or an order of arrival. */
export function assemble({ header, gathered, given, count: countAnew }: PackParts): Pack {
  const { candidates, omitted } = sift(gathered, given);
  const { count, priceOf, costOf } = pricesBy(countAnew);
  const emptyRooms = [...gathered].flatMap(([room, { empty }]) => (empty ? [{ room, ...empty }] : []));
  const receiptRoom = clamp(Math.round(header.budget * RECEIPT_SHARE), RECEIPT_LEAST, RECEIPT_MOST);
  const build = (blockBudget: number): Built => {
    const choice = inOrder(choose(candidates, blockBudget, costOf));
    const spent = choice.chosen.reduce((sum, { item, size }) => sum + costOf(item, size), 0);
    const next = nextStep(header.budget - blockBudget + spent, choice.unaffordable);
    const receipt = makeReceipt(choice.chosen, [...unbought(choice), ...omitted], { next, emptyRooms });
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
  const rest = header.budget - priceOf(renderHeader(header)) - receiptRoom;
  const built = fitInto(build, Math.max(0, rest - FRAME), header.budget);
  const told = built.finish(clamp(header.budget - built.before, receiptRoom, RECEIPT_MOST));
  return told.tokens <= header.budget ? told : built;
}

/** Names everything that went into a pack, so that the same id means the same bytes. */
export function packIdOf(request: unknown, gathered: ReadonlyMap<PackRoom, Gathered>): string {
  const rooms = [...gathered]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([room, { state, items, empty }]) => [room, state, empty ?? null, items.toSorted(byScore)]);
  return sha256(JSON.stringify(["contextful pack 1", request, rooms])).slice(0, 16);
}

/** The same texts are in one pack after another, and counting is slow. */
const counted = new LruCache<number>(8_192);

function pricesBy(countAnew: (text: string) => number) {
  const count = (text: string) => counted.of(text, () => countAnew(text));
  const priceOf = (part: string) => count(part + GAP);
  const costs = new Map<SafeItem, number[]>();
  const costOf = (item: SafeItem, size: number): number => {
    const known = costs.get(item) ?? item.sizes.map((_, each) => priceOf(renderBlock({ item, size: each })));
    costs.set(item, known);
    return known[size] ?? 0;
  };
  return { count, priceOf, costOf };
}

const inOrder = (choice: Choice): Choice => ({
  ...choice,
  chosen: choice.chosen.toSorted(
    (a, b) => KINDS.indexOf(a.item.kind) - KINDS.indexOf(b.item.kind) || byScore(a.item, b.item),
  ),
});

function unbought({ chosen, unaffordable }: Choice): Omission[] {
  const bought = new Set(chosen.map(({ item }) => item));
  const left = new Set(unaffordable.map(({ item }) => item).filter((item) => !bought.has(item)));
  return [...left].map((item) => ({ item, reason: "budget" }));
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

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
