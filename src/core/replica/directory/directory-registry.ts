import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../files/atomic-write.ts";
import { sha256 } from "../../hash.ts";
import { byCodeUnit } from "../../order.ts";
import {
  Generation,
  MAX_GENERATION_BYTES,
  MAX_MANIFEST_BYTES,
  Manifest,
  readingLease,
  type StoreRegistry,
} from "../replica.ts";
import { isAbsent, namesIn, readIfPresent } from "./directory-blocks.ts";
import { DirectoryLeases } from "./directory-leases.ts";

const SHARED = 0o644;

/** `generations/PROJECT/KIND-COMMIT.json` names a manifest in `manifests/`. */
export function directoryRegistry(root: string): StoreRegistry {
  const leases = new DirectoryLeases(join(root, "leases"));
  const manifestFile = (id: string) => join(root, "manifests", `${id}.json`);
  const files = new GenerationFiles(join(root, "generations"));
  return {
    async publish(generation, manifest) {
      await writeFileAtomic(manifestFile(generation.manifest), JSON.stringify(manifest), SHARED);
      await files.write(generation);
      return true;
    },
    generations: async (project, kind) =>
      (await files.of(project)).filter((generation) => generation.kind === kind),
    async manifest(id) {
      const text = await readIfPresent(manifestFile(id), MAX_MANIFEST_BYTES);
      return text && Manifest.parse(JSON.parse(text.toString("utf8")));
    },
    manifests: () => manifestIds(root),
    async retire(keep, before) {
      const { named, retired } = await files.retire(keep);
      for (const id of await manifestIds(root)) {
        if (named.has(id) || (await leases.held(readingLease(id))).length > 0) continue;
        if (await isOlder(manifestFile(id), before)) await rm(manifestFile(id), { force: true });
      }
      return retired;
    },
    forget: (project) => files.forget(project),
    lease: (name, ttlMs) => leases.acquire(name, ttlMs),
    leaseOf: (held) => leases.leaseOf(held),
    leases: (prefix) => leases.held(prefix),
  };
}

const identity = ({ project, kind, commit, manifest, published_at }: Generation) =>
  [project, kind, commit, manifest, published_at].join("\n");

async function manifestIds(root: string): Promise<string[]> {
  const names = await namesIn(join(root, "manifests"));
  return names.flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []).sort(byCodeUnit);
}

async function isOlder(file: string, before: Date): Promise<boolean> {
  try {
    return (await stat(file)).mtime < before;
  } catch (thrown) {
    if (isAbsent(thrown)) return false;
    throw thrown;
  }
}

class GenerationFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  projects = async (): Promise<string[]> =>
    (await namesIn(this.#root)).filter((name) => /^[0-9a-f]{64}$/.test(name)).sort(byCodeUnit);

  /** Newest first. */
  async of(project: string): Promise<Generation[]> {
    const names = (await namesIn(join(this.#root, project))).filter(
      (name) => name.endsWith(".json") && !name.startsWith("."),
    );
    const found = await Promise.all(names.map((name) => readGeneration(join(this.#root, project, name))));
    return found
      .flatMap((generation) => generation ?? [])
      .sort((a, b) => byCodeUnit(b.published_at, a.published_at) || byCodeUnit(a.commit, b.commit));
  }

  write(generation: Generation): Promise<void> {
    return writeFileAtomic(this.#fileOf(generation), JSON.stringify(generation), SHARED);
  }

  /** Removes all but the newest of each project and kind, and tells which manifests the others name. */
  async retire(keep: number): Promise<{ readonly named: ReadonlySet<string>; readonly retired: number }> {
    const named = new Set<string>();
    let retired = 0;
    for (const project of await this.projects()) {
      const counts = new Map<string, number>();
      for (const generation of await this.of(project)) {
        const count = (counts.get(generation.kind) ?? 0) + 1;
        counts.set(generation.kind, count);
        if (count <= keep) named.add(generation.manifest);
        else if (await this.#remove(generation)) retired++;
      }
    }
    return { named, retired };
  }

  async forget(project: string): Promise<number> {
    const removed = await Promise.all((await this.of(project)).map((generation) => this.#remove(generation)));
    return removed.filter(Boolean).length;
  }

  /** False if another generation of the same commit has replaced it. */
  async #remove(generation: Generation): Promise<boolean> {
    const now = await readGeneration(this.#fileOf(generation));
    if (now === undefined || identity(now) !== identity(generation)) return false;
    await rm(this.#fileOf(generation), { force: true });
    return true;
  }

  #fileOf({ project, kind, commit }: Generation): string {
    return join(this.#root, project, `${sha256(kind).slice(0, 16)}-${commit}.json`);
  }
}

/** One damaged file does not hide the other generations. */
async function readGeneration(file: string): Promise<Generation | undefined> {
  try {
    const text = await readIfPresent(file, MAX_GENERATION_BYTES);
    return text && Generation.parse(JSON.parse(text.toString("utf8")));
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof z.ZodError) return undefined;
    throw thrown;
  }
}
