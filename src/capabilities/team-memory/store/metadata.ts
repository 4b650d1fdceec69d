import { z } from "zod";
import { FOLDER, KINDS, LOCAL_METADATA, metadataFile } from "./layout.ts";
import type { Sidecars } from "./sidecar.ts";

export const AnchorRecord = z.looseObject({
  /** `path` or `path#Symbol`, relative to the project. */
  anchor: z.string(),
  /** Hash of the file, or of the lines of the symbol. */
  sha256: z.string(),
  of: z.enum(["file", "symbol"]).catch("file"),
});
export type AnchorRecord = z.infer<typeof AnchorRecord>;

/** Author, dates and anchors of an entry. Fields of other programs are kept. */
export const EntryMetadata = z.looseObject({
  author: z.string().optional().catch(undefined),
  agent: z.string().optional().catch(undefined),
  created_at: z.string().optional().catch(undefined),
  updated_at: z.string().optional().catch(undefined),
  anchors: z.array(AnchorRecord).optional().catch(undefined),
  /** Set on removed entries whose name must not be used again, such as ids of decisions. */
  removed_at: z.string().optional().catch(undefined),
});
export type EntryMetadata = z.infer<typeof EntryMetadata>;

export interface MetadataTable {
  of(path: string): EntryMetadata | undefined;
  /** Paths that have a row, including removed entries. */
  readonly paths: () => readonly string[];
  readonly problems: readonly string[];
}

/** Public entries have their row in the `.meta.json` of their folder, others in a local file, which wins. */
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

/** A row that is not an object is ignored. */
function asMetadata(row: unknown): EntryMetadata | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  return EntryMetadata.safeParse(row).data;
}
