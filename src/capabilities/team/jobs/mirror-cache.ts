import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { projectDataDirectory } from "../../../core/home.ts";

const Size = z.object({ bytes: z.number() });
const SIZE = "size.json";

interface MirrorCacheOptions {
  readonly directory: string;
  /** Our data directory, where the indexes of the work trees are. */
  readonly home: string;
  readonly maxBytes: number;
}

/** Mirrors, work trees and indexes of the projects that this worker has seen. The longest unused leave first. */
export class MirrorCache {
  readonly #options: MirrorCacheOptions;
  readonly #busy = new Set<string>();

  constructor(options: MirrorCacheOptions) {
    this.#options = options;
  }

  /** Runs with a project's directory, which is not removed meanwhile. */
  async use<T>(id: string, run: (directory: string) => Promise<T>): Promise<T> {
    const directory = join(this.#options.directory, id);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    this.#busy.add(id);
    try {
      return await run(directory);
    } finally {
      this.#busy.delete(id);
      await this.#measure(id);
      await this.#shrink();
    }
  }

  async #measure(id: string): Promise<void> {
    const directory = join(this.#options.directory, id);
    const bytes = (await bytesIn(directory)) + (await bytesIn(this.#indexOf(id)));
    await writeFileAtomic(join(directory, SIZE), JSON.stringify({ bytes }), 0o600);
    // The file system's own clock is coarse.
    const now = (performance.timeOrigin + performance.now()) / 1_000;
    await utimes(join(directory, SIZE), now, now);
  }

  async #shrink(): Promise<void> {
    const entries = await Promise.all(
      (await readdir(this.#options.directory)).map(async (id) => {
        const file = join(this.#options.directory, id, SIZE);
        // A directory without a size is in use for the first time, or its worker was killed.
        const known = await stat(file).catch(() => undefined);
        const size = known && Size.safeParse(JSON.parse(await readFile(file, "utf8")));
        return { id, usedAt: known?.mtimeMs ?? 0, bytes: size?.data?.bytes ?? 0 };
      }),
    );
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { id, bytes } of entries.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.#options.maxBytes) return;
      if (this.#busy.has(id)) continue;
      await rm(this.#indexOf(id), { recursive: true, force: true });
      await rm(join(this.#options.directory, id), { recursive: true, force: true });
      total -= bytes;
    }
  }

  #indexOf(id: string): string {
    return projectDataDirectory(this.#options.home, join(this.#options.directory, id, "tree"));
  }
}

async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
