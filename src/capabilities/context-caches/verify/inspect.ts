import { join } from "node:path";
import { z } from "zod";
import { listNames, lstatIfPresent, makeFileReader } from "../cache-files.ts";
import { parseJsonBytes } from "../document.ts";
import { cacheFailure, isFailure } from "../failures.ts";
import type { Inspection } from "../fields.ts";
import { hasFolder } from "./load-cache.ts";

/** Missing or wrong fields are returned as empty. Only these two fields decide whether a manifest is valid. */
const Summary = z.object({
  cache_version: z.string().optional().catch(undefined),
  document_count: z.int().min(0).optional().catch(undefined),
});

/**
 * For agents: the manifest's summary and the bytes of the files beside it. The contract calls a manifest that is not
 * JSON both `cache_invalid` and `valid: false`; this returns `valid: false`.
 */
export function inspectForAgents(directory: string): Inspection {
  const summary = Summary.safeParse(manifestOf(directory));
  const { cache_version, document_count } = summary.success ? summary.data : {};
  const valid = cache_version !== undefined && document_count !== undefined;
  return {
    cache_version: cache_version ?? "",
    document_count: document_count ?? 0,
    total_bytes: valid ? bytesBeside(directory) : 0,
    valid,
  };
}

const ListedDocuments = z.object({
  cache_version: z.string(),
  document_count: z.int().min(0),
  documents: z.array(z.object({ file: z.string().regex(/^documents\/[^/\\]+$/) })),
});

/** For people: the bytes of the listed documents, and whether all of them exist. */
export function inspectForPeople(directory: string): Inspection {
  if (!lstatIfPresent(join(directory, "manifest.json"))?.isFile()) throw cacheFailure("cache_missing");
  const listing = ListedDocuments.safeParse(manifestOf(directory));
  if (!listing.success) throw cacheFailure("cache_invalid");
  const { cache_version, document_count, documents } = listing.data;
  const isThere = hasFolder(directory, documents);
  const sizes = documents.map(({ file }) => (isThere ? sizeOf(join(directory, file)) : undefined));
  return {
    cache_version,
    document_count,
    total_bytes: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    valid: isThere && !sizes.includes(undefined),
  };
}

/** `undefined` if there is no manifest or it is not JSON. */
function manifestOf(directory: string): unknown {
  try {
    return parseJsonBytes(makeFileReader()(join(directory, "manifest.json")));
  } catch (thrown) {
    if (isFailure(thrown, "cache_invalid")) return undefined;
    throw thrown;
  }
}

/** The size of a regular file. */
function sizeOf(file: string): number | undefined {
  const entry = lstatIfPresent(file);
  return entry?.isFile() ? entry.size : undefined;
}

const bytesBeside = (directory: string): number =>
  listNames(directory).reduce((sum, name) => sum + (sizeOf(join(directory, name)) ?? 0), 0);
