import fc from "fast-check";
import { expect, test } from "vitest";
import { LruCache } from "./lru-cache.ts";

test("keeps exactly the most recently used keys and recomputes the others", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."abcdef")), fc.integer({ min: 1, max: 4 }), (asked, most) => {
      const cache = new LruCache<string>(most);
      const made: string[] = [];
      for (const [at, key] of asked.entries()) {
        const lastUsed = [...new Set(asked.slice(0, at).toReversed())].slice(0, most);
        const before = made.length;
        expect(cache.of(key, () => `${key}${made.push(key)}`)).toMatch(new RegExp(`^${key}\\d+$`));
        expect(made.length === before).toBe(lastUsed.includes(key));
      }
    }),
  );
});
