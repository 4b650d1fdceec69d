const TIER_BASE = 64;
const TIER_GROWTH = 4;
const SEGMENTS_PER_TIER = 8;
const MAX_MERGED = 10_000;
/** Merging larger segments takes more time than their number costs a search. */
const LARGE = 400;

interface Sized {
  readonly live: number;
  readonly chunks: number;
}

/** Segments worth merging now: eight of about one size, or those that are mostly dead. Keeps their number small. */
export function mergeable<S extends Sized>(segments: readonly S[]): S[][] {
  const decayed = segments.filter((segment) => segment.live * 2 < segment.chunks);
  if (decayed.length > 0) return groupsOf(decayed);
  const tiers = new Map<number, S[]>();
  for (const segment of segments) {
    if (segment.live >= LARGE) continue;
    const tier = tiers.get(tierOf(segment)) ?? [];
    tier.push(segment);
    tiers.set(tierOf(segment), tier);
  }
  for (const tier of tiers.values()) {
    if (tier.length < SEGMENTS_PER_TIER) continue;
    return groupsOf(tier).filter((group) => group.length > 1);
  }
  return [];
}

/** Everything that could be tidier: whatever has dead chunks, and all that fit together into one. */
export const untidy = <S extends Sized>(segments: readonly S[]): S[][] =>
  groupsOf(segments).filter((group) => group.length > 1 || group.some(({ live, chunks }) => live < chunks));

/** Merging is done in memory, while others wait: never more at once than this. */
function groupsOf<S extends Sized>(segments: readonly S[]): S[][] {
  const groups: S[][] = [];
  let live = MAX_MERGED;
  for (const segment of segments) {
    if (live + segment.live > MAX_MERGED) {
      groups.push([]);
      live = 0;
    }
    groups.at(-1)?.push(segment);
    live += segment.live;
  }
  return groups;
}

const tierOf = ({ live }: Sized): number =>
  Math.max(0, Math.ceil(Math.log(live / TIER_BASE) / Math.log(TIER_GROWTH)));
