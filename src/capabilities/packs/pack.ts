import { sha256 } from "../../core/hash.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { byCodeUnit } from "../../core/order.ts";
import { byScore, selectCandidates } from "./choose/candidates.ts";
import { type Chosen, choose, type PackChoice } from "./choose/choose.ts";
import type { SafeItem } from "./choose/safe-item.ts";
import { FILE_ROLES, isAboutTests } from "./file-role.ts";
import { type Gathered, KINDS, type PackRoom } from "./item.ts";
import { makeReceipt, nextStep, type Omission, type Receipt, renderReceipt } from "./render/receipt.ts";
import { blockOf, GAP, type PackHeader, renderBlock, renderHeader, renderParts } from "./render/render.ts";

/** The most a receipt may take of the budget: the short one, and the full one on request. */
const RECEIPT_SHARE = { short: 0.1, full: 0.3 } as const;
/** With a large budget less is enough for a short receipt; it never needs to be shorter than this. */
const SHORT_RECEIPT = { share: 0.02, least: 80 } as const;
/** Tokens for the headings of the sections. */
const HEADING_TOKENS = 40;
const WORTH_RETRY = 60;
/** Tokens of a marker such as `… line 1205:`. */
const MARKER_TOKENS = 6;

interface PackParts {
  readonly header: PackHeader;
  readonly receipt?: keyof typeof RECEIPT_SHARE;
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

/** Builds a pack within its budget. It depends on no file, no clock and no order of items. */
export function assemble({
  header,
  gathered,
  given,
  receipt: form = "short",
  count: countTokens,
}: PackParts): Pack {
  const { candidates, omitted } = selectCandidates(gathered, given);
  const { count, tokensOf, ...costs } = tokenCounter(countTokens);
  const emptyRooms = [...gathered].flatMap(([room, { empty }]) => (empty ? [{ room, ...empty }] : []));
  const limits = { isAboutTests: isAboutTests(header.task) };
  const receiptRoom = receiptRoomOf(header.budget, form);
  const build = (blockBudget: number): BuiltPack => {
    const choice = inOrder(choose(candidates, { ...limits, budget: blockBudget }, costs));
    const next = nextStep(header.budget - blockBudget + choice.spent, choice.notFitting);
    const receipt = makeReceipt(choice.chosen, [...omittedForBudget(choice), ...omitted], {
      next,
      emptyRooms,
    });
    const parts = renderParts(header, choice.chosen);
    const before = parts.reduce((sum, part) => sum + tokensOf(part), 0);
    const finish = (room: number): Pack => {
      const last = renderReceipt(receipt, { room, isFull: form === "full" }, count);
      return {
        text: [...parts, last].join(GAP),
        tokens: before + count(last),
        items: choice.chosen,
        receipt,
      };
    };
    return { ...finish(receiptRoom), before, finish };
  };
  const rest = header.budget - tokensOf(renderHeader(header)) - receiptRoom;
  const built = fitInto(build, Math.max(0, rest - HEADING_TOKENS), header.budget);
  if (built.items.length > 0 && form === "short") return built;
  // The reasons are all that an empty pack has to give.
  const extended = built.finish(Math.max(receiptRoom, header.budget - built.before));
  return extended.tokens <= header.budget ? extended : built;
}

function receiptRoomOf(budget: number, form: keyof typeof RECEIPT_SHARE): number {
  const most = Math.floor(budget * RECEIPT_SHARE[form]);
  if (form === "full") return most;
  return Math.min(most, Math.max(SHORT_RECEIPT.least, Math.floor(budget * SHORT_RECEIPT.share)));
}

/** A hash of everything that goes into a pack: the same id means the same bytes. */
export function packIdOf(request: unknown, gathered: ReadonlyMap<PackRoom, Gathered>): string {
  const rooms = [...gathered]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([room, { state, items, empty }]) => [room, state, empty ?? null, items.toSorted(byScore)]);
  return sha256(JSON.stringify(["contextful pack 1", request, rooms])).slice(0, 16);
}

/** Packs often contain the same texts, and counting is slow. */
const tokenCounts = new LruCache<number>(8_192);

function tokenCounter(countTokens: (text: string) => number) {
  const count = (text: string) => tokenCounts.of(text, () => countTokens(text));
  const tokensOf = (part: string) => count(part + GAP);
  const costs = new Map<SafeItem, number[]>();
  const costOf = (item: SafeItem, size: number): number => {
    const known =
      costs.get(item) ?? item.sizes.map((_, each) => tokensOf(renderBlock([{ item, size: each }])));
    costs.set(item, known);
    return known[size] ?? 0;
  };
  const frames = new Map<SafeItem, number>();
  /** Tokens around the text of an item, which further items of its block share but for a marker. */
  const frameOf = (item: SafeItem): number => {
    const known = frames.get(item);
    if (known !== undefined) return known;
    const [whole] = item.sizes;
    const empty = { ...item, sizes: whole === undefined ? [] : [{ ...whole, text: "" }] };
    const frame = Math.max(0, tokensOf(renderBlock([{ item: empty, size: 0 }])) - MARKER_TOKENS);
    frames.set(item, frame);
    return frame;
  };
  return { count, tokensOf, costOf, frameOf, blockOf };
}

const inOrder = (choice: PackChoice): PackChoice => ({
  ...choice,
  chosen: choice.chosen.toSorted(
    (a, b) =>
      KINDS.indexOf(a.item.kind) - KINDS.indexOf(b.item.kind) ||
      roleRank(a.item) - roleRank(b.item) ||
      byScore(a.item, b.item),
  ),
});

const roleRank = ({ role = "source" }: SafeItem): number => FILE_ROLES.indexOf(role);

function omittedForBudget({ chosen, notFitting }: PackChoice): Omission[] {
  const taken = new Set(chosen.map(({ item }) => item));
  const left = new Set(notFitting.map(({ item }) => item).filter((item) => !taken.has(item)));
  return [...left].map((item) => ({ item, reason: "budget" }));
}

interface BuiltPack extends Pack {
  /** Tokens of everything but the receipt, which may use the rest. */
  readonly before: number;
  finish(receiptRoom: number): Pack;
}

/** Headings and receipt may need more or less than planned. The budget is a hard limit: shrink until it holds. */
function fitInto(build: (blockBudget: number) => BuiltPack, start: number, budget: number): BuiltPack {
  let blockBudget = start;
  let pack = build(blockBudget);
  while (pack.tokens > budget && blockBudget > 0) {
    blockBudget = Math.max(0, blockBudget - Math.max(8, pack.tokens - budget));
    pack = build(blockBudget);
  }
  const unused = budget - pack.tokens;
  if (blockBudget < start || unused < WORTH_RETRY || pack.receipt.next === undefined) return pack;
  // Shares are of the block budget, so it is never more than the budget.
  const fuller = build(Math.min(budget, blockBudget + unused - 10));
  return fuller.tokens <= budget ? fuller : pack;
}
