import { LruCache } from "../../../core/lru-cache.ts";

interface RateBucket {
  /** Calls that are left at `at`. */
  left: number;
  at: number;
}
const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/** A number of calls each minute for each key, all of them at once if need be. Each process counts for itself. */
export class RateLimits {
  readonly #buckets = new LruCache<RateBucket>(MAX_KEYS);

  /** Counts a call; returns 0, or after how many seconds it may be repeated. */
  take(key: string, perMinute: number, now: number): number {
    const bucket = this.#buckets.of(key, () => ({ left: perMinute, at: now }));
    bucket.left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / MINUTE_MS);
    bucket.at = now;
    if (bucket.left < 1) return Math.ceil(((1 - bucket.left) * MINUTE_MS) / perMinute / 1_000);
    bucket.left -= 1;
    return 0;
  }
}
