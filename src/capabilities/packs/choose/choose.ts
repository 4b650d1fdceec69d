import { byCodeUnit } from "../../../core/order.ts";
import type { PackItemKind } from "../item.ts";
import type { SafeItem } from "./safe-item.ts";

/** What an item is worth at each of its sizes, largest first, relative to being given whole. */
const WORTH = [[1], [1, 0.4], [1, 0.6, 0.2]] as const;
/** How much more a better match is worth: twice the score, four times the value. */
const STEEPNESS = 2;
/** Weight of a kind beside its score: what the team has settled outranks what merely looks related. */
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
/** The part of the budget that conventions and decisions which match may claim before anything else. */
const SETTLED_SHARE = 0.2;
/** What it takes to match: this part of the best of them. */
const MATCHING = 0.5;
/** The part that the code at the centre of the task may claim to be told whole, and what is still centre. */
const CENTRE_SHARE = 0.2;
const CENTRAL = 0.85;

export interface Chosen {
  readonly item: SafeItem;
  /** Index into `item.sizes`. */
  readonly size: number;
}
export interface PackChoice {
  readonly chosen: readonly Chosen[];
  /** The steps that did not fit, best first: what a larger budget would add. */
  readonly unaffordable: readonly PackStep[];
}
export interface PackStep {
  readonly item: SafeItem;
  readonly size: number;
  /** Tokens this step adds to what is already given of the item. */
  readonly cost: number;
  readonly density: number;
}

/**
 * Chooses what fits, by value for each token: first a little of much, then more of the best. `costOf` is the price of
 * an item's block at a size. The same input gives the same choice, whatever order the items came in.
 */
export function choose(
  items: readonly SafeItem[],
  budget: number,
  costOf: (item: SafeItem, size: number) => number,
): PackChoice {
  const steps = items.flatMap((item) => stepsOf(item, costOf)).sort(byWorth);
  const purchase = new Purchase();
  const settled = steps.filter(({ item }) => item.kind === "convention" || item.kind === "decision");
  purchase.buy(nearBest(settled, MATCHING), Math.floor(budget * SETTLED_SHARE));
  const code = steps.filter(({ item }) => item.kind === "code");
  purchase.buy(nearBest(code, CENTRAL), purchase.spent + Math.floor(budget * CENTRE_SHARE));
  purchase.buy(steps, budget);
  return {
    chosen: items.flatMap((item) => {
      const size = purchase.sizes.get(item.id);
      return size === undefined ? [] : [{ item, size }];
    }),
    unaffordable: steps.filter(
      (step) => (purchase.sizes.get(step.item.id) ?? Number.POSITIVE_INFINITY) > step.size,
    ),
  };
}

function nearBest(steps: readonly PackStep[], part: number): PackStep[] {
  const best = steps.reduce((most, { item }) => Math.max(most, item.value), 0);
  return steps.filter(({ item }) => item.value >= best * part);
}

class Purchase {
  readonly sizes = new Map<string, number>();
  #spent = 0;

  get spent(): number {
    return this.#spent;
  }

  /** Steps of one item come smallest size first; one that was not affordable bars those after it. */
  buy(steps: readonly PackStep[], budget: number): void {
    const barred = new Set<string>();
    for (const step of steps) {
      const current = this.sizes.get(step.item.id) ?? Number.POSITIVE_INFINITY;
      if (current <= step.size || barred.has(step.item.id)) continue;
      if (this.#spent + step.cost > budget) {
        barred.add(step.item.id);
        continue;
      }
      this.#spent += step.cost;
      this.sizes.set(step.item.id, step.size);
    }
  }
}

/** From nothing up to whole, leaving out sizes that a larger one beats in value for each token. */
function stepsOf(item: SafeItem, costOf: (item: SafeItem, size: number) => number): PackStep[] {
  const worth: readonly number[] = WORTH[Math.min(item.sizes.length, WORTH.length) - 1] ?? [];
  const value = (size: number) => WEIGHT[item.kind] * item.value ** STEEPNESS * (worth[size] ?? 0);
  const steps: PackStep[] = [];
  let from = { cost: 0, value: 0 };
  let size = worth.length;
  while (size > 0) {
    const best = worth
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

const byWorth = (a: PackStep, b: PackStep) =>
  b.density - a.density || byCodeUnit(a.item.id, b.item.id) || b.size - a.size;
