import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError, errnoOf } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files/atomic-write.ts";
import { LedgerEntry } from "./ledger-entry.ts";

const MOST_KEPT = 500;
const PACK_ID = /^[0-9a-f]{16}$/;

/** The packs given for one project, kept in our own data directory so that they can be excluded and verified later. */
export function openLedger(directory: string) {
  return {
    async record(entry: LedgerEntry): Promise<void> {
      await writeFileAtomic(join(directory, `${entry.pack_id}.json`), JSON.stringify(entry), 0o600);
      await forgetOldest(directory);
    },
    async find(packId: string): Promise<LedgerEntry> {
      if (!PACK_ID.test(packId)) throw unknownPack(packId);
      try {
        return LedgerEntry.parse(JSON.parse(await readFile(join(directory, `${packId}.json`), "utf8")));
      } catch (thrown) {
        if (
          errnoOf(thrown) !== "ENOENT" &&
          !(thrown instanceof z.ZodError) &&
          !(thrown instanceof SyntaxError)
        )
          throw thrown;
        throw unknownPack(packId);
      }
    },
  };
}
export type Ledger = ReturnType<typeof openLedger>;

const unknownPack = (packId: string) =>
  new DomainError(
    "not_found",
    `No pack ${packId.slice(0, 40)} was given for this project here. Pack ids stand in the second line of a pack.`,
  );

async function forgetOldest(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".json"));
  if (names.length <= MOST_KEPT) return;
  // Another process may be forgetting the same ones.
  const aged = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(directory, name)).catch(() => undefined);
      return { name, time: found?.mtimeMs ?? 0 };
    }),
  );
  aged.sort((a, b) => a.time - b.time);
  await Promise.all(
    aged.slice(0, names.length - MOST_KEPT).map(({ name }) => rm(join(directory, name), { force: true })),
  );
}
