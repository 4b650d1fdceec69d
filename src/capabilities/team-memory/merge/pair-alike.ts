export interface Alike {
  readonly text: string;
  readonly lines: ReadonlySet<string>;
}

/** Every text against every other takes its time; beyond this they are paired by their order. */
const MOST_COMPARED = 10_000;

/** Which text of `after` was which of `before`, by index: equal ones, then the most alike, then those left in order. */
export function pairAlike(before: readonly Alike[], after: readonly Alike[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (is: number, was: number) => {
    if (pairs.has(is) || taken.has(was)) return;
    pairs.set(is, was);
    taken.add(was);
  };
  const left = () => ({
    was: [...before.keys()].filter((index) => !taken.has(index)),
    is: [...after.keys()].filter((index) => !pairs.has(index)),
  });
  pairEqual(before, after, pair);
  const changed = left();
  if (changed.was.length * changed.is.length <= MOST_COMPARED) {
    const likeness = changed.is.flatMap((is) =>
      changed.was.map((was) => ({ is, was, shared: sharedLines(before[was], after[is]) })),
    );
    const alike = likeness.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared);
    for (const { is, was } of alike) pair(is, was);
  }
  const rest = left();
  for (const is of rest.is) {
    const [above, below] = neighboursOf(is, pairs);
    const was = rest.was.find((index) => !taken.has(index) && above < index && index < below);
    if (was !== undefined) pair(is, was);
  }
  return pairs;
}

function pairEqual(
  before: readonly Alike[],
  after: readonly Alike[],
  pair: (is: number, was: number) => void,
): void {
  const places = new Map<string, number[]>();
  for (const [index, { text }] of before.entries()) places.set(text, [...(places.get(text) ?? []), index]);
  for (const [index, { text }] of after.entries()) {
    const was = places.get(text)?.shift();
    if (was !== undefined) pair(index, was);
  }
}

function sharedLines(one: Alike | undefined, other: Alike | undefined): number {
  if (one === undefined || other === undefined) return 0;
  return [...one.lines].filter((line) => line.trim() !== "" && other.lines.has(line)).length;
}

/** A text without likeness is the old one rewritten only where it stands between the same neighbours. */
function neighboursOf(is: number, pairs: ReadonlyMap<number, number>): [above: number, below: number] {
  let [above, below] = [-1, Number.POSITIVE_INFINITY];
  for (const [other, was] of pairs) {
    if (other < is) above = Math.max(above, was);
    else below = Math.min(below, was);
  }
  return [above, below];
}
