/**
 * The order of merged sections. The side that moved existing sections decides (ours, if both did). A new section follows
 * the section it was written after. Swapping the sides gives the same list unless both moved sections.
 */
export function mergeOrder(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] {
  const known = new Set(base);
  const common = (keys: readonly string[]) => keys.filter((key) => known.has(key));
  const oursMoved = isReordered(base, common(ours));
  const spine = oursMoved ? common(ours) : common(theirs);
  const missing = common(oursMoved ? theirs : ours).filter((key) => !spine.includes(key));
  const order = insertAfterNeighbours(spine, oursMoved ? theirs : ours, new Set(missing));
  const news = new Map<string, string[]>();
  const blocks = [...newBlocks(ours, known), ...newBlocks(theirs, known)];
  for (const block of blocks.sort((a, b) => compareBlocks(a.keys, b.keys))) {
    const behind = news.get(block.anchor) ?? [];
    news.set(block.anchor, [...behind, ...block.keys.filter((key) => !behind.includes(key))]);
  }
  const merged = [...(news.get("\0start") ?? []), ...order.flatMap((key) => [key, ...(news.get(key) ?? [])])];
  return [...new Set(merged)];
}

interface SectionBlock {
  readonly anchor: string;
  readonly keys: string[];
}

/** Runs of new keys, each with the last known key before it. */
function newBlocks(keys: readonly string[], known: ReadonlySet<string>): SectionBlock[] {
  const blocks: SectionBlock[] = [];
  let anchor = "\0start";
  for (const key of keys) {
    const last = blocks.at(-1);
    if (known.has(key)) anchor = key;
    else if (last?.anchor === anchor) last.keys.push(key);
    else blocks.push({ anchor, keys: [key] });
  }
  return blocks;
}

const compareBlocks = (a: readonly string[], b: readonly string[]) => {
  const [left, right] = [a.join("\n"), b.join("\n")];
  return left < right ? -1 : left > right ? 1 : 0;
};

function isReordered(base: readonly string[], kept: readonly string[]): boolean {
  const expected = base.filter((key) => kept.includes(key));
  return expected.some((key, index) => key !== kept[index]);
}

/** Inserts each wanted key of `from` after the key that precedes it there. */
function insertAfterNeighbours(
  spine: readonly string[],
  from: readonly string[],
  wanted: ReadonlySet<string>,
): string[] {
  const order = [...spine];
  for (const [index, key] of from.entries()) {
    if (!wanted.has(key)) continue;
    const neighbour = from.slice(0, index).findLast((earlier) => order.includes(earlier));
    order.splice(neighbour === undefined ? 0 : order.indexOf(neighbour) + 1, 0, key);
  }
  return order;
}
