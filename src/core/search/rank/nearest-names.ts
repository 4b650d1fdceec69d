const MAX_NAMES = 3;
const SHORT = 5;
/** A name that begins like the other may have this many letters more. */
const MAX_TAIL = 8;

/**
 * The names that differ least from `wanted`: by one letter, two in a long name; a swap of neighbours is one. After them
 * names that continue it, or that it continues.
 */
export function nearestNames(wanted: string, names: Iterable<string>): string[] {
  const most = wanted.length <= SHORT ? 1 : 2;
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const tail = Math.abs(name.length - wanted.length);
    if (name === wanted || tail > MAX_TAIL) continue;
    const isContinued =
      Math.min(name.length, wanted.length) >= SHORT && (name.startsWith(wanted) || wanted.startsWith(name));
    const distance = tail > most ? tail : editDistance(wanted, name, most);
    if (distance <= most || isContinued) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, MAX_NAMES).map(({ name }) => name);
}

/** Letters to add, drop, replace or swap; more than `most` once it is clear that it takes more. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      let cost = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return least;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
