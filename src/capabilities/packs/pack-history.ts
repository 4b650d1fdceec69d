import { readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files/atomic-write.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { sha256 } from "../../core/hash.ts";
import { parseJson } from "../../core/json.ts";
import { byCodeUnit } from "../../core/order.ts";
import type { Gathered, PackRoom } from "./item.ts";
import type { Pack } from "./pack.ts";
import { PackInput, type VerifyOutput } from "./tools.ts";

const MOST_KEPT = 500;
const PACK_ID = /^[0-9a-f]{16}$/;

/** What we keep of a pack: the request and hashes of the items, never the text. */
export const PackRecord = z.object({
  pack_id: z.string(),
  /** Without the path: every project has a history of its own. */
  request: PackInput.omit({ path: true }),
  states: z.record(z.string(), z.string()),
  /** Item id → hash of its text in the pack. */
  items: z.record(z.string(), z.string()),
  text_sha256: z.string(),
});
export type PackRecord = z.infer<typeof PackRecord>;

/** The packs built for one project, kept in our data directory so that later calls can exclude and verify them. */
export function openPackHistory(directory: string) {
  return {
    async add(record: PackRecord): Promise<void> {
      await writeFileAtomic(join(directory, `${record.pack_id}.json`), JSON.stringify(record), 0o600);
      await removeOldest(directory);
    },
    async find(packId: string): Promise<PackRecord> {
      const text = PACK_ID.test(packId) ? await readRecord(directory, packId) : undefined;
      const record = PackRecord.safeParse(parseJson(text ?? ""));
      if (!record.success) throw unknownPack(packId);
      return record.data;
    },
  };
}
export type PackHistory = ReturnType<typeof openPackHistory>;

/** A pipe in place of a record must not block. */
async function readRecord(directory: string, packId: string): Promise<string | undefined> {
  const root = await realpath(directory).catch(() => undefined);
  return root && readTextInside(root, `${packId}.json`);
}

export function recordOf(
  packId: string,
  { task, budget, rooms, diff, except, receipt }: PackRecord["request"],
  { pack, gathered }: { readonly pack: Pack; readonly gathered: ReadonlyMap<PackRoom, Gathered> },
): PackRecord {
  return {
    pack_id: packId,
    request: { task, budget, rooms, diff, except, receipt },
    states: Object.fromEntries([...gathered].map(([room, { state }]) => [room, state])),
    items: Object.fromEntries(
      pack.items.map(({ item, size }) => [item.id, sha256(item.sizes[size]?.text ?? "")]),
    ),
    text_sha256: sha256(pack.text),
  };
}

/** What changed between a recorded pack and the same pack built now. */
export function compareRecords(before: PackRecord, now: PackRecord): z.output<typeof VerifyOutput> {
  const keysOf = (field: "items" | "states") =>
    [...new Set([...Object.keys(before[field]), ...Object.keys(now[field])])].sort(byCodeUnit);
  const ids = keysOf("items");
  return {
    pack_id: before.pack_id,
    same: before.text_sha256 === now.text_sha256,
    pack_id_now: now.pack_id,
    rooms_changed: keysOf("states").filter((room) => before.states[room] !== now.states[room]),
    added: ids.filter((id) => before.items[id] === undefined),
    removed: ids.filter((id) => now.items[id] === undefined),
    changed: ids.filter((id) => {
      const [old, current] = [before.items[id], now.items[id]];
      return old !== undefined && current !== undefined && old !== current;
    }),
  };
}

const unknownPack = (packId: string) =>
  new DomainError(
    "not_found",
    `No pack ${packId.slice(0, 40)} was built for this project on this machine. The id of a pack is in its second line.`,
  );

async function removeOldest(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".json"));
  if (names.length <= MOST_KEPT) return;
  // Another process may be removing the same files.
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
