import { z } from "zod";
import type { MemoryProject } from "../entries/project.ts";
import { readJson } from "../store/json-files.ts";
import { LOCAL_READS } from "../store/layout.ts";
import { printJson } from "../store/sidecar.ts";

const Reads = z.record(z.string(), z.number().catch(0)).catch({});

/** How often each entry was read on this machine, now and in earlier processes. */
export function readsOf({ store, reads }: MemoryProject): ReadonlyMap<string, number> {
  const all = new Map(Object.entries(readJson(store, LOCAL_READS, Reads)));
  for (const [path, count] of reads) all.set(path, (all.get(path) ?? 0) + count);
  return all;
}

/** Saves the counts when a process ends. Losing a count is harmless, so a failed write is ignored. */
export async function saveReads(project: MemoryProject): Promise<void> {
  const { store, reads } = project;
  if (reads.size === 0 || !store.isInitialised()) return;
  await store
    .write({ purpose: "saving read counts", waitMs: 200 }, (edit) =>
      edit.put(LOCAL_READS, printJson(Object.fromEntries(readsOf(project)))),
    )
    .catch(() => undefined);
}
