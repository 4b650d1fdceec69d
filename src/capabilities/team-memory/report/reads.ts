import { z } from "zod";
import type { MemoryProject } from "../entries/project.ts";
import { readJson } from "../store/json-file.ts";
import { LOCAL_READS } from "../store/layout.ts";
import { printJson } from "../store/sidecar.ts";

const Reads = z.record(z.string(), z.number().catch(0)).catch({});

/** How often each entry was read on this machine, now and in earlier processes. */
export function readsOf({ store, reads }: MemoryProject): ReadonlyMap<string, number> {
  const all = new Map(Object.entries(readJson(store, LOCAL_READS, Reads)));
  for (const [path, count] of reads) all.set(path, (all.get(path) ?? 0) + count);
  return all;
}

/** Keeps the counts when a process ends. Only a count: where it cannot be written it is let go. */
export async function keepReads(project: MemoryProject): Promise<void> {
  const { store, reads } = project;
  if (reads.size === 0 || !store.isInitialised()) return;
  await store
    .write({ purpose: "keeping read counts", waitMs: 200 }, (edit) =>
      edit.put(LOCAL_READS, printJson(Object.fromEntries(readsOf(project)))),
    )
    .catch(() => undefined);
}
