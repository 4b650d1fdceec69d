const MAX_NAMES = 3;
const SHORT = 5;
/** A name that begins like the other may have this many letters more. */
const MAX_TAIL = 8;

/**
 * The names that differ least from `wanted`: by one letter, two in a long name; a swap of neighbours is one. After them
 * names that continue it, or that it continues.
 */
export function nearestNames(wanted: string, lists: readonly (readonly string[])[]): string[] {
  const most = wanted.length <= SHORT ? 1 : 2;
  const rows = rowsFor(wanted.length, most);
  /** By name: one that several segments have is listed once. */
  const near = new Map<string, number>();
  for (const name of lists.flat()) {
    const tail = Math.abs(name.length - wanted.length);
    if (name === wanted || tail > MAX_TAIL) continue;
    const isContinued =
      Math.min(name.length, wanted.length) >= SHORT && (name.startsWith(wanted) || wanted.startsWith(name));
    const distance = tail > most ? tail : editDistance(wanted, name, most, rows);
    if (distance <= most || isContinued) near.set(name, distance);
  }
  const sorted = [...near].sort(
    ([a, distanceA], [b, distanceB]) => distanceA - distanceB || (a < b ? -1 : 1),
  );
  return sorted.slice(0, MAX_NAMES).map(([name]) => name);
}

type Cells = readonly [Uint8Array, Uint8Array, Uint8Array];

/** Room to compare names with one of this length. An index has thousands: all are compared in the same three rows. */
function rowsFor(length: number, most: number): Cells {
  const row = () => new Uint8Array(length + most + 2);
  return [row(), row(), row()];
}

/**
 * Letters to add, drop, replace or swap; more than `most` once it is clear that it takes more. Only the cells within `most` of the
 * diagonal can be that small, so no others are computed.
 */
function editDistance(a: string, b: string, most: number, rows: Cells): number {
  const tooMany = most + 1;
  for (const cells of rows) cells.fill(tooMany);
  let [before, previous, current] = rows;
  for (let column = 0; column <= Math.min(most, b.length); column++) previous[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    current[from - 1] = row <= most ? row : tooMany;
    let least = cell(current, from - 1);
    for (let column = from; column <= to; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const replaced = cell(previous, column - 1) + (isSame ? 0 : 1);
      let cost = Math.min(replaced, cell(previous, column) + 1, cell(current, column - 1) + 1, tooMany);
      if (isSwapAt(a, row, b, column)) cost = Math.min(cost, cell(before, column - 2) + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    current[to + 1] = tooMany;
    if (least > most) return least;
    [before, previous, current] = [previous, current, before];
  }
  return cell(previous, b.length);
}

const isSwapAt = (a: string, row: number, b: string, column: number): boolean =>
  row > 1 &&
  column > 1 &&
  a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
  a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
const cell = (row: Uint8Array, column: number): number => row[column] ?? 0;
