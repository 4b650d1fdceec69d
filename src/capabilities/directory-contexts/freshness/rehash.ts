import { join } from "node:path";
import type { z } from "zod";
import { errnoOf } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import type { Call } from "../../../core/tool.ts";
import type { RehashReport } from "../commands/reports.ts";
import type { Contexts } from "../contexts.ts";
import { updateContext } from "../generate/write-context.ts";
import { parseContext, readBounded } from "../read/read-context.ts";
import { CONTEXT_FILE } from "../schema.ts";

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
  const report: z.infer<typeof RehashReport> = {
    root,
    rehashed: [],
    fresh: entries.filter(({ state }) => state === "fresh").length,
    failed: [],
  };
  for (const [done, { scope, computed }] of stale.entries()) {
    call.signal.throwIfAborted();
    call.progress.report({ done, total: stale.length, label: "contexts" });
    const reason = await setFingerprint(join(root, scope, CONTEXT_FILE), computed);
    if (reason === undefined) report.rehashed.push(scope);
    else report.failed.push({ scope, reason });
  }
  return report;
}

/** Why it could not be done, if so. */
async function setFingerprint(file: string, fingerprint: string): Promise<string | undefined> {
  const text = readBounded(file);
  if (typeof text !== "string") return text.kind === "missing" ? "it is gone" : text.reason;
  // It was valid when surveyed; a person may be in the middle of an edit.
  if (parseContext(text).kind !== "read") return "it was changed meanwhile";
  try {
    await writeFileAtomic(file, updateContext(text, { fingerprint }));
    return undefined;
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined || code === "ENOSPC") throw thrown;
    return `cannot be written (${code})`;
  }
}
