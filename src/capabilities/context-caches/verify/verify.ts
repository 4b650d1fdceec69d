import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Call } from "../../../core/tool.ts";
import { type FileReader, listNames, lstatIfPresent, makeFileReader } from "../cache-files.ts";
import { cacheFailure, isFailure } from "../failures.ts";
import { indexAgrees, type ManifestEntry, readManifest } from "../manifest.ts";
import { contentOf, hasFolder } from "./load-cache.ts";

const MAX_SHOWN = 20;

export interface VerifiedCache {
  readonly cache_version: string;
  readonly document_count: number;
}

/** Checks the manifest, its recomputed version, that every file exists with the right hash, and that there are no others. */
export async function verifyCache(directory: string, call: Call): Promise<VerifiedCache> {
  if (!lstatIfPresent(join(directory, "manifest.json"))?.isFile())
    throw invalid(["manifest.json is missing"]);
  const read = makeFileReader();
  const { problems: found, ...rest } = readManifest(read(join(directory, "manifest.json")));
  if (!("manifest" in rest)) throw invalid(found);
  const { documents, cache_version } = rest.manifest;
  const problems = [...found, ...indexProblems(directory, documents, read)];
  if (!hasFolder(directory, documents)) throw invalid([...problems, "documents is not a directory"]);
  for (const [place, entry] of documents.entries()) {
    if (place % 64 === 0) {
      call.signal.throwIfAborted();
      call.progress.report({ done: place, total: documents.length, label: "documents" });
      await yieldToEventLoop();
    }
    problems.push(...documentProblems(directory, entry, read));
  }
  problems.push(...orphans(directory, documents).map((name) => `${name} belongs to no document`));
  if (problems.length > 0) throw invalid(problems);
  return { cache_version, document_count: documents.length };
}

function invalid(problems: readonly string[]) {
  const shown = problems.slice(0, MAX_SHOWN).map((problem) => `\n  ${problem}`);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? `\n  and ${rest} more` : "";
  return cacheFailure("cache_invalid", { message: `Cache exists but is invalid:${shown.join("")}${more}` });
}

function indexProblems(directory: string, entries: readonly ManifestEntry[], read: FileReader): string[] {
  try {
    const agrees = indexAgrees(read(join(directory, "index.json")), entries);
    return agrees ? [] : ["index.json does not say what manifest.json says"];
  } catch (thrown) {
    if (isFailure(thrown, "cache_invalid")) return ["index.json is missing"];
    throw thrown;
  }
}

function documentProblems(directory: string, entry: ManifestEntry, read: FileReader): string[] {
  // Such a path is already reported as a problem of the manifest. It is not read.
  if (!/^documents\/[^/\\]+$/.test(entry.file)) return [];
  const file = join(directory, entry.file);
  if (!lstatIfPresent(file)?.isFile()) return [`${entry.file} is missing (${entry.id})`];
  try {
    contentOf(read(file), entry);
    return [];
  } catch (thrown) {
    if (isFailure(thrown, "cache_invalid")) return [`${entry.file} is not the document listed (${entry.id})`];
    throw thrown;
  }
}

function orphans(directory: string, entries: readonly ManifestEntry[]): string[] {
  const known = new Set(["manifest.json", "index.json", "documents", ...entries.map(({ file }) => file)]);
  const documents = listNames(join(directory, "documents")).map((name) => `documents/${name}`);
  return [...listNames(directory), ...documents].filter((name) => !known.has(name)).sort();
}
