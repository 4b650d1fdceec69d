import { byCodeUnit } from "../../../core/order.ts";
import { type CodeStore, type IndexMetadata, readMetadata } from "../store/code-store.ts";
import { knownFiles, readFileAt, skippedFiles } from "../store/stored-files.ts";
import { discoverFiles, type ScanFlags } from "./discover.ts";
import { openFreshness } from "./freshness.ts";
import { openImportPaths } from "./import-paths.ts";
import { planRun } from "./plan.ts";

/** The files that have changed, appeared or gone since they were indexed, sorted. */
export async function findDifferences(
  code: CodeStore,
  root: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { files } = await discoverFiles(root, scanFlagsOf(readMetadata(code)), signal);
  const known = knownFiles(code);
  const plan = planRun(files, { known, skipped: skippedFiles(code), firstId: 0 }, openImportPaths(root));
  const isFresh = openFreshness(root);
  const changed = plan.toPrepare.filter(({ path }) => {
    const stored = readFileAt(code, path);
    return stored === undefined || !isFresh(stored);
  });
  const removed = new Set(plan.removed);
  const gone = [...known.values()].filter(({ id }) => removed.has(id));
  return [...changed, ...gone].map(({ path }) => path).sort(byCodeUnit);
}

/** The flags that an index was built with: an update must not change them. */
export const scanFlagsOf = (metadata: IndexMetadata): ScanFlags => ({
  includeTests: metadata["include_tests"] !== "false",
  includeVendor: metadata["include_vendor"] === "true",
});
