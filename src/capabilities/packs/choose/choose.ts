import { byCodeUnit } from "../../../core/order.ts";
import type { PackItemKind } from "../item.ts";
import type { SafeItem } from "./safe-item.ts";

/** The value of an item at each of its sizes, largest first, relative to the whole item. */
const SIZE_VALUES = [[1], [1, 0.5], [1, 0.7, 0.3]] as const;
/** Exponent of the score: twice the score is eight times the value. */
const SCORE_EXPONENT = 3;
/**
 * Tokens of code that is worth as much as any other item, and the exponent of its length: longer code is worth more, since
 * a change is likelier in it.
 */
const TYPICAL_CODE = 150;
const LENGTH_EXPONENT = 0.8;
/** Weight of each kind: what the team has decided outranks what only looks related. */
const WEIGHT = {
  convention: 1.3,
  decision: 1.3,
  knowledge: 1.1,
  state: 0.8,
  change: 1.2,
  directory: 0.8,
  code: 1,
  document: 0.9,
} as const satisfies Record<PackItemKind, number>;
/** The share of the budget for matching conventions and decisions, before anything else. */
const SETTLED_SHARE = 0.2;
/** A match has at least this share of the best value. */
const MATCHING = 0.5;
/** The share of the budget for what a git range changed, before the code around it. */
const CHANGE_SHARE = 0.4;
/** The share of the budget for the best code, which is given whole, and the share of the best value it must have. */
const CENTRE_SHARE = 0.5;
const CENTRAL = 0.4;
/** Exponent of the length when the best code is put in order. */
const CENTRE_LENGTH = 0.5;
/** The most that these groups of items may take of the budget; documents may also have what the code leaves. */
const GROUP_SHARE = { test: 0.2, accessory: 0.1, directory: 0.1, document: 0.1 } as const;
/** Of a small budget, documents may take more than their share: one section is often longer. */
const DOCUMENT_TOKENS = 400;

export interface Chosen {
  readonly item: SafeItem;
  /** Index into `item.sizes`. */
  readonly size: number;
}
export interface PackChoice {
  readonly chosen: readonly Chosen[];
  readonly spent: number;
  /** The steps that did not fit, best first: what a larger budget would add. */
  readonly notFitting: readonly PackStep[];
}
export interface PackStep {
  readonly item: SafeItem;
  readonly size: number;
  /** Tokens that this step adds to the size chosen so far. */
  readonly cost: number;
  readonly density: number;
}

/** What items cost, in tokens. */
export interface ItemCosts {
  /** An item at a size, in a block of its own. */
  costOf(item: SafeItem, size: number): number;
  /** What an item costs less if its block has another one already. */
  frameOf(item: SafeItem): number;
  blockOf(item: SafeItem): string;
}

interface ChoiceLimits {
  readonly budget: number;
  /** Whether the task is about tests: then their share is not limited. */
  readonly isAboutTests?: boolean;
}

/**
 * Chooses what fits. What the team has settled comes first, then what a git range changed and the best code, whole, in
 * half of the budget, then everything else by value per token; accessories get what is left, and so do
 * further documents unless the task names what it is about. The order of the items does not change the result.
 */
export function choose(
  items: readonly SafeItem[],
  { budget, isAboutTests = false }: ChoiceLimits,
  costs: ItemCosts,
): PackChoice {
  const steps = items.flatMap((item) => stepsOf(item, costs)).sort(byDensity);
  const selection = new SizeSelection(budget, isAboutTests, costs);
  const settled = steps.filter(({ item }) => item.kind === "convention" || item.kind === "decision");
  selection.take(nearBest(settled, MATCHING), Math.floor(budget * SETTLED_SHARE));
  const before = selection.spent;
  const ofSource = items.filter(({ role = "source" }) => role === "source");
  takeWhole(
    selection,
    ofSource.filter(({ kind }) => kind === "change"),
    { limit: before + Math.floor(budget * CHANGE_SHARE), costs },
  );
  takeWhole(
    selection,
    ofSource.filter(({ kind }) => kind === "code"),
    { limit: before + Math.floor(budget * CENTRE_SHARE), costs },
  );
  selection.take(
    steps.filter(({ item }) => item.role !== "accessory"),
    budget,
  );
  selection.take(steps, budget);
  if (!items.some(({ isTarget }) => isTarget)) {
    selection.removeLimit("document");
    selection.take(steps, budget);
  }
  return {
    spent: selection.spent,
    chosen: items.flatMap((item) => {
      const size = selection.sizes.get(item.id);
      return size === undefined ? [] : [{ item, size }];
    }),
    notFitting: steps.filter(
      (step) => (selection.sizes.get(step.item.id) ?? Number.POSITIVE_INFINITY) > step.size,
    ),
  };
}

/** The best of some items, whole, else at the largest size that fits: what must be edited is most likely here. */
function takeWhole(
  selection: SizeSelection,
  items: readonly SafeItem[],
  { limit, costs }: { readonly limit: number; readonly costs: ItemCosts },
): void {
  const best = items.reduce((most, { value }) => Math.max(most, value), 0);
  const central = items
    .filter(({ value }) => value >= best * CENTRAL)
    .map((item) => ({ item, order: item.value * costs.costOf(item, 0) ** CENTRE_LENGTH }))
    .sort(
      (a, b) =>
        Number(b.item.isTarget ?? false) - Number(a.item.isTarget ?? false) ||
        b.order - a.order ||
        byCodeUnit(a.item.id, b.item.id),
    );
  for (const { item } of central) {
    for (const size of item.sizes.keys()) {
      const step = { item, size, cost: costs.costOf(item, size), density: 0 };
      selection.take([step], limit);
      if (selection.sizes.has(item.id)) break;
    }
  }
}

function nearBest(steps: readonly PackStep[], part: number): PackStep[] {
  const best = steps.reduce((most, { item }) => Math.max(most, item.value), 0);
  return steps.filter(({ item }) => item.value >= best * part);
}

class SizeSelection {
  readonly sizes = new Map<string, number>();
  readonly #limits: Map<string, number>;
  readonly #spentBy = new Map<string, number>();
  readonly #costs: ItemCosts;
  readonly #blocks = new Set<string>();
  #spent = 0;

  constructor(budget: number, isAboutTests: boolean, costs: ItemCosts) {
    this.#costs = costs;
    const shares = Object.entries(GROUP_SHARE).filter(([group]) => group !== "test" || !isAboutTests);
    const least = (group: string) => (group === "document" ? DOCUMENT_TOKENS : 0);
    this.#limits = new Map(
      shares.map(([group, share]) => [group, Math.max(least(group), Math.floor(budget * share))]),
    );
  }

  get spent(): number {
    return this.#spent;
  }

  removeLimit(group: keyof typeof GROUP_SHARE): void {
    this.#limits.delete(group);
  }

  /** Steps of one item come smallest size first. If one does not fit, the later ones are skipped. */
  take(steps: readonly PackStep[], budget: number): void {
    const skipped = new Set<string>();
    for (const step of steps) {
      const current = this.sizes.get(step.item.id) ?? Number.POSITIVE_INFINITY;
      if (current <= step.size || skipped.has(step.item.id)) continue;
      const group = groupOf(step.item);
      const spentBy = this.#spentBy.get(group) ?? 0;
      const limit = this.#limits.get(group) ?? Number.POSITIVE_INFINITY;
      const cost = step.cost - this.#shared(step.item);
      if (this.#spent + cost > budget || spentBy + cost > limit) {
        skipped.add(step.item.id);
        continue;
      }
      this.#spent += cost;
      this.#spentBy.set(group, spentBy + cost);
      this.sizes.set(step.item.id, step.size);
      this.#blocks.add(this.#costs.blockOf(step.item));
    }
  }

  /** What an item saves because its block is there already; later sizes of an item pay only for their text. */
  #shared(item: SafeItem): number {
    const isNew = !this.sizes.has(item.id) && this.#blocks.has(this.#costs.blockOf(item));
    return isNew ? this.#costs.frameOf(item) : 0;
  }
}

/** Changes are not limited: a review needs all of them. */
function groupOf({ kind, role = "source" }: SafeItem): string {
  if (kind === "change") return kind;
  return kind === "code" || role === "accessory" ? role : kind;
}

/** From the smallest size to the whole item, without sizes that give less value per token than a larger one. */
function stepsOf(item: SafeItem, { costOf }: ItemCosts): PackStep[] {
  const values: readonly number[] = SIZE_VALUES[Math.min(item.sizes.length, SIZE_VALUES.length) - 1] ?? [];
  const length = item.kind === "code" ? (costOf(item, 0) / TYPICAL_CODE) ** LENGTH_EXPONENT : 1;
  const whole = WEIGHT[item.kind] * item.value ** SCORE_EXPONENT * length;
  const value = (size: number) => whole * (values[size] ?? 0);
  const steps: PackStep[] = [];
  let from = { cost: 0, value: 0 };
  let size = values.length;
  while (size > 0) {
    const best = values
      .map((_, candidate) => candidate)
      .filter((candidate) => candidate < size)
      .map((candidate) => {
        const cost = Math.max(1, costOf(item, candidate) - from.cost);
        return { item, size: candidate, cost, density: (value(candidate) - from.value) / cost };
      })
      .reduce((a, b) => (b.density >= a.density ? b : a));
    steps.push(best);
    size = best.size;
    from = { cost: costOf(item, size), value: value(size) };
  }
  return steps;
}

const byDensity = (a: PackStep, b: PackStep) =>
  b.density - a.density || byCodeUnit(a.item.id, b.item.id) || b.size - a.size;
