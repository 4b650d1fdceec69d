import { mapThree, type TextLines, type Three } from "./three.ts";

type LinePositions = Three<number>;

/** Splits three texts before each line that occurs once in all of them and in the same order: no change crosses such a line. */
export function stretchesOf(texts: Three<TextLines>): Three<TextLines>[] {
  const cuts = anchorsOf(texts);
  const starts = [{ base: 0, ours: 0, theirs: 0 }, ...cuts];
  const ends = [...cuts, mapThree(texts, ({ length }) => length)];
  return starts.map((from, index) => {
    const to = ends[index] ?? from;
    return {
      base: texts.base.slice(from.base, to.base),
      ours: texts.ours.slice(from.ours, to.ours),
      theirs: texts.theirs.slice(from.theirs, to.theirs),
    };
  });
}

function anchorsOf(texts: Three<TextLines>): LinePositions[] {
  const places = mapThree(texts, placesOfUnique);
  const common = [...places.base].flatMap(([line, base]) => {
    const [ours, theirs] = [places.ours.get(line), places.theirs.get(line)];
    return ours === undefined || theirs === undefined ? [] : [{ base, ours, theirs }];
  });
  return longestRise(
    longestRise(common, ({ ours }) => ours),
    ({ theirs }) => theirs,
  );
}

function placesOfUnique(lines: TextLines): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    places.set(line, index);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

interface RiseLink {
  readonly item: LinePositions;
  readonly before: RiseLink | undefined;
}

/** The longest increasing subsequence. */
function longestRise(
  items: readonly LinePositions[],
  placeOf: (item: LinePositions) => number,
): LinePositions[] {
  /** By length: the subsequence of that length with the lowest end. */
  const rises: RiseLink[] = [];
  for (const item of items) {
    let [low, high] = [0, rises.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = rises[middle];
      if (end !== undefined && placeOf(end.item) < placeOf(item)) low = middle + 1;
      else high = middle;
    }
    rises[low] = { item, before: rises[low - 1] };
  }
  const chain: LinePositions[] = [];
  for (let link = rises.at(-1); link !== undefined; link = link.before) chain.push(link.item);
  return chain.reverse();
}
