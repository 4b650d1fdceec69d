import { randomUUID } from "node:crypto";
import { open, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errnoOf } from "../../errors.ts";
import { byCodeUnit } from "../../order.ts";
import type { LeaseTerms, ReplicaLease } from "../replica.ts";
import { isAbsent, makeDirectory, namesIn, readIfPresent } from "./directory-blocks.ts";

const LeaseFile = z.object({ holder: z.string(), ttl_ms: z.number() });
const MAX_LEASE = 4_096;
/** However long a holder wants it: a dead one must not stop the team for ever. */
const MAX_TTL_MS = 3_600_000;

/**
 * Leases as files that are created only if they are absent. The holder renews the file's time. Any machine may hold one, so
 * the age of a lease is measured by the clock of the file system, not by our own.
 */
export class DirectoryLeases {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async acquire(name: string, ttlMs: number): Promise<ReplicaLease | undefined> {
    const file = this.#fileOf(name);
    const holder = randomUUID();
    await makeDirectory(this.#root);
    if (!(await create(file, { holder, ttl_ms: ttlMs }))) {
      if (!(await this.#removeIfExpired(file))) return undefined;
      if (!(await create(file, { holder, ttl_ms: ttlMs }))) return undefined;
    }
    return this.leaseOf({ name, holder, ttlMs });
  }

  leaseOf({ name, holder }: LeaseTerms): ReplicaLease {
    const file = this.#fileOf(name);
    const isOurs = async () => (await readLease(file))?.holder === holder;
    return {
      holder,
      async renew() {
        if (!(await isOurs())) return false;
        const now = new Date(await clockOf(file));
        await utimes(file, now, now);
        return true;
      },
      async release() {
        if (await isOurs()) await rm(file, { force: true });
      },
    };
  }

  async held(prefix: string): Promise<readonly string[]> {
    const held: string[] = [];
    for (const name of (await namesIn(this.#root)).sort(byCodeUnit)) {
      if (!name.startsWith(prefix) || !name.endsWith(".lease")) continue;
      const file = join(this.#root, name);
      if (!(await this.#removeIfExpired(file))) held.push(name.slice(0, -".lease".length));
    }
    return held;
  }

  #fileOf = (name: string): string => join(this.#root, `${name}.lease`);

  /** Renames it first and looks at it again: another process may have replaced it by a lease of its own. */
  async #removeIfExpired(file: string): Promise<boolean> {
    try {
      if (!(await isExpired(file))) return false;
      const aside = `${file}.${randomUUID()}.expired`;
      await rename(file, aside);
      const wasExpired = await isExpired(aside);
      if (!wasExpired) await rename(aside, file);
      else await rm(aside, { force: true });
      return wasExpired;
    } catch (thrown) {
      if (isAbsent(thrown)) return true;
      throw thrown;
    }
  }
}

async function create(file: string, lease: z.infer<typeof LeaseFile>): Promise<boolean> {
  try {
    await using handle = await open(file, "wx", 0o644);
    await handle.writeFile(JSON.stringify(lease));
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

async function isExpired(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file);
  const lease = await readLease(file);
  // A file without content is being written, or its writer died at that.
  const ttlMs = Math.min(lease?.ttl_ms ?? 60_000, MAX_TTL_MS);
  return (await clockOf(file)) - mtimeMs > ttlMs;
}

async function readLease(file: string) {
  try {
    return LeaseFile.parse(JSON.parse((await readIfPresent(file, MAX_LEASE))?.toString("utf8") ?? ""));
  } catch {
    return undefined;
  }
}

/** The time that the file system gives to a new file. */
async function clockOf(file: string): Promise<number> {
  const probe = `${file}.${randomUUID()}.clock`;
  await using handle = await open(probe, "wx", 0o600);
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await rm(probe, { force: true });
  }
}
