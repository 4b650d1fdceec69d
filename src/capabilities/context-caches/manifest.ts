import { createHash } from "node:crypto";
import { z } from "zod";
import { isRecord } from "../../core/json.ts";
import { byUtf8, fileOf, parseJsonBytes, Version } from "./document.ts";

const BUILD_CONFIG = { version: "1", hash_algorithm: "sha256" } as const;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

const ManifestEntry = z.object({ id: z.string(), version: Version, file: z.string() });
export type ManifestEntry = z.infer<typeof ManifestEntry>;

const CacheManifest = z.object({
  cache_version: z.string(),
  build_config: z.object({ version: z.string(), hash_algorithm: z.string() }),
  created_at: z.string().refine((text) => RFC_3339.test(text) && !Number.isNaN(Date.parse(text))),
  document_count: z.int().min(0),
  documents: z.array(ManifestEntry),
});
type CacheManifest = z.infer<typeof CacheManifest>;

/** The manifest, with its entries sorted by id, and what is wrong with it. */
export function readManifest(
  bytes: Uint8Array,
):
  | { readonly manifest: CacheManifest; readonly problems: readonly string[] }
  | { readonly problems: readonly string[] } {
  const value = parseJsonBytes(bytes);
  if (value === undefined) return { problems: ["manifest.json is not JSON"] };
  const parsed = CacheManifest.safeParse(value);
  if (!parsed.success) return { problems: parsed.error.issues.map(describeIssue) };
  const documents = parsed.data.documents.toSorted((a, b) => byUtf8(a.id, b.id));
  return { manifest: { ...parsed.data, documents }, problems: problemsOf({ ...parsed.data, documents }) };
}

const describeIssue = ({ path, message }: z.core.$ZodIssue) =>
  `manifest.json: ${path.join(".") || "the whole"}: ${message}`;

/** Finds contradictions inside a manifest; its version must match the documents it lists. */
function problemsOf({ build_config, document_count, documents, cache_version }: CacheManifest): string[] {
  const problems: string[] = [];
  if (
    build_config.version !== BUILD_CONFIG.version ||
    build_config.hash_algorithm !== BUILD_CONFIG.hash_algorithm
  )
    problems.push(`manifest.json: unknown format ${build_config.version}/${build_config.hash_algorithm}`);
  if (document_count !== documents.length)
    problems.push(
      `manifest.json: document_count is ${document_count}, ${documents.length} documents are listed`,
    );
  documents.forEach(({ id, version, file }, place) => {
    if (documents[place - 1]?.id === id) problems.push(`manifest.json: ${id} is listed twice`);
    if (file !== fileOf(version)) problems.push(`manifest.json: ${id}: its file cannot be ${file}`);
  });
  if (problems.length === 0 && cache_version !== cacheVersionOf(documents))
    problems.push(`manifest.json: cache_version is not that of the documents listed`);
  return problems;
}

/** The version of a cache: a hash of its configuration, then `id:version` of every document sorted by id, no separators. */
function cacheVersionOf(entries: readonly ManifestEntry[]): string {
  const hash = createHash("sha256").update(JSON.stringify(BUILD_CONFIG));
  for (const { id, version } of entries.toSorted((a, b) => byUtf8(a.id, b.id)))
    hash.update(`${id}:${version}`);
  return `sha256:${hash.digest("hex")}`;
}

/** The manifest's text, which has no final newline. `entries` must be in the order of ids. */
export const manifestText = (entries: readonly ManifestEntry[], createdAt: string): string =>
  JSON.stringify(
    {
      cache_version: cacheVersionOf(entries),
      build_config: BUILD_CONFIG,
      created_at: createdAt,
      document_count: entries.length,
      documents: entries,
    },
    null,
    2,
  );

/** Not by JSON.stringify: an object would move numeric keys to the front. */
export const indexText = (entries: readonly ManifestEntry[]): string =>
  entries.length === 0
    ? "{}"
    : `{\n${entries.map(({ id, file }) => `  ${JSON.stringify(id)}: ${JSON.stringify(file)}`).join(",\n")}\n}`;

/** True if index.json agrees with the manifest. An older format wraps the map in `entries`. */
export function indexAgrees(bytes: Uint8Array, entries: readonly ManifestEntry[]): boolean {
  const value = parseJsonBytes(bytes);
  // Not by a schema: it would skip a document called `__proto__`.
  const index = isRecord(value) && isRecord(value["entries"]) ? value["entries"] : value;
  if (!isRecord(index)) return false;
  const listed = new Map(Object.entries(index));
  return listed.size === entries.length && entries.every(({ id, file }) => listed.get(id) === file);
}
