import { join } from "node:path";
import type { z } from "zod";
import { writeFileAtomic } from "../../core/files/atomic-write.ts";
import type { Call } from "../../core/tool.ts";
import type { Contexts } from "./contexts.ts";
import { readBounded } from "./read-context.ts";
import type { RehashReport } from "./reports.ts";
import { CONTEXT_FILE } from "./schema.ts";
import { updateContext } from "./write-context.ts";

/** Says that every context holds as it is: sets its fingerprint and touches nothing else in the file. */
export async function rehash(
  contexts: Contexts,
  root: string,
  call: Call,
): Promise<z.infer<typeof RehashReport>> {
  const { entries } = await contexts.survey(root, call.signal);
  const stale = entries.filter(
    ({ state, directory }) => state === "stale" && directory.listing?.context?.isFile(),
  );
  for (const [done, { scope, computed }] of stale.entries()) {
    call.signal.throwIfAborted();
    call.progress.report({ done, total: stale.length, label: "contexts" });
    const file = join(root, scope, CONTEXT_FILE);
    const text = readBounded(file);
    if (typeof text === "string") await writeFileAtomic(file, updateContext(text, { fingerprint: computed }));
  }
  return {
    root,
    rehashed: stale.map(({ scope }) => scope),
    fresh: entries.filter(({ state }) => state === "fresh").length,
  };
}
