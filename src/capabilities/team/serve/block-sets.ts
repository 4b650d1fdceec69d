import { LruCache } from "../../../core/lru-cache.ts";
import type { Registry } from "../../../core/replica/replica.ts";

/** A reader fetches the blocks of one manifest in many calls. */
const MAX_KEPT = 32;

/** Which blocks a manifest names, without reading it again for each call. */
export class BlockSets {
  readonly #registry: Pick<Registry, "manifest">;
  readonly #sets = new LruCache<ReadonlySet<string>>(MAX_KEPT);

  constructor(registry: Pick<Registry, "manifest">) {
    this.#registry = registry;
  }

  /** Those of the hashes that one of the manifests names. */
  async within(manifests: Iterable<string>, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    const sets = await Promise.all([...manifests].map((id) => this.#of(id)));
    return new Set(hashes.filter((hash) => sets.some((set) => set.has(hash))));
  }

  async #of(id: string): Promise<ReadonlySet<string>> {
    const known = this.#sets.get(id);
    if (known) return known;
    const manifest = await this.#registry.manifest(id);
    const blocks = new Set(manifest?.blocks);
    if (manifest) this.#sets.set(id, blocks);
    return blocks;
  }
}
