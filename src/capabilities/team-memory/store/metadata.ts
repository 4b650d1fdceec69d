import { z } from "zod";
import { FOLDER, KINDS, LOCAL_METADATA, metadataFile } from "./layout.ts";
import type { Sidecars } from "./sidecar.ts";

export const AnchorRecord = z.looseObject({
  /** `path` or `path#Symbol`, relative to the project. */
  anchor: z.string(),
  /** Of the file, or of the symbol's lines where it was found. */
  sha256: z.string(),
  of: z.enum(["file", "symbol"]).catch("file"),
});
export type AnchorRecord = z.infer<typeof AnchorRecord>;

/** What is known of an entry beside its text. Fields of other programs are kept. */
export const Metadata = z.looseObject({
  author: z.string().optional().catch(undefined),
  agent: z.string().optional().catch(undefined),
  created_at: z.string().optional().catch(undefined),
  updated_at: z.string().optional().catch(undefined),
  anchors: z.array(AnchorRecord).optional().catch(undefined),
  /** Set where the entry was removed and its name must not come back, as with ids of decisions. */
  removed_at: z.string().optional().catch(undefined),
});
export type Metadata = z.infer<typeof Metadata>;

export interface MetadataTable {
  of(path: string): Metadata | undefined;
  /** Paths that have a row, entries that were removed included. */
  readonly paths: () => readonly string[];
  readonly problems: readonly string[];
}

const parsed = new WeakMap<object, Metadata>();

/** Rows of public entries stand in their folder's `.meta.json`, the others in a local file, which wins. */
export function readMetadata(sidecars: Sidecars): MetadataTable {
  const local = sidecars.read(LOCAL_METADATA);
  const folders = KINDS.map((kind) => ({
    folder: FOLDER[kind],
    sidecar: sidecars.read(metadataFile(FOLDER[kind])),
  }));
  const problems = [local.problem, ...folders.map(({ sidecar }) => sidecar.problem)].filter(
    (problem) => problem !== undefined,
  );
  return {
    of(path) {
      const mine = local.rows.get(path);
      if (mine !== undefined) return asMetadata(mine);
      for (const { folder, sidecar } of folders) {
        if (!path.startsWith(`${folder}/`)) continue;
        const row = sidecar.rows.get(path.slice(folder.length + 1));
        if (row !== undefined) return asMetadata(row);
      }
      return undefined;
    },
    paths: () => [
      ...local.rows.keys(),
      ...folders.flatMap(({ folder, sidecar }) => [...sidecar.rows.keys()].map((key) => `${folder}/${key}`)),
    ],
    problems,
  };
}

/** A row that is no object says nothing. */
function asMetadata(row: unknown): Metadata | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const before = parsed.get(row);
  if (before !== undefined) return before;
  const result = Metadata.safeParse(row);
  if (result.success) parsed.set(row, result.data);
  return result.data;
}
