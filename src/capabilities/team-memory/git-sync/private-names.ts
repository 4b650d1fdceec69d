import { z } from "zod";
import type { FileIds } from "../merge/store-merge.ts";
import { folderOf, LOCAL_METADATA, metadataFile, ownerOf, sidecarKey } from "../store/layout.ts";
import { Metadata } from "../store/metadata.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { openSidecars } from "../store/sidecar.ts";
import { listed, type Repository, refused } from "./repository/repository.ts";
import { readContents } from "./repository/store-tree.ts";

/**
 * An entry that was made private takes its record along. One whose record here is another than the team's was always
 * private, and git put the team's entry of the same name over it: to untrack that would delete the team's.
 */
export async function refuseTaken(
  repository: Repository,
  { directory, committed, scopes }: { directory: string; committed: FileIds; scopes: ScopeTable },
): Promise<void> {
  const owners = [...committed.keys()].flatMap((path) => ownerOf(path)?.path ?? []);
  const hidden = [...new Set(owners)].filter((path) => scopes.of(path) !== "public");
  const local = openSidecars(directory).read(LOCAL_METADATA).rows;
  const mine = hidden.filter((path) => local.has(path));
  if (mine.length === 0) return;
  const tables = [...new Set(mine.map((path) => metadataFile(folderOf(path))))];
  const ids = new Map(tables.map((file) => [file, committed.get(file)]));
  const contents = await readContents(
    repository,
    [...ids.values()].filter((id) => id !== undefined),
  );
  const taken = mine.filter((path) => {
    const rows = rowsOf(contents.get(ids.get(metadataFile(folderOf(path))) ?? ""));
    return madeAt(rows[sidecarKey(path)]) !== madeAt(local.get(path));
  });
  if (taken.length > 0)
    throw refused(
      `The branch has entries named like private ones of yours: ${listed(taken)}. Rename yours, or make it public if the text is the team's; then sync again.`,
      { files: taken },
    );
}

const madeAt = (row: unknown): string | undefined => Metadata.safeParse(row).data?.created_at;

function rowsOf(bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse((bytes ?? "").toString("utf8")));
  } catch {
    return {};
  }
}
