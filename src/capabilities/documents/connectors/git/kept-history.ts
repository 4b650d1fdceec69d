import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../../core/files/atomic-write.ts";
import type { GitOptions } from "../../../../core/git/git.ts";
import { sha256 } from "../../../../core/hash.ts";
import { parseJson } from "../../parse-json.ts";
import { FileHistory, readHistory } from "./git-history.ts";

const Kept = z.object({ tip: z.string(), files: z.array(z.tuple([z.string(), FileHistory])) });

/** The history below `root`, walked once for each tip: it is asked for at every sync, and a long one takes its time. */
export async function keptHistory(
  clone: string,
  { tip, root, git }: { readonly tip: string; readonly root: string; readonly git: GitOptions },
): Promise<ReadonlyMap<string, FileHistory>> {
  const file = join(clone, `contextful-history-${sha256(root).slice(0, 12)}.json`);
  // What is not there or was spoiled is walked for again.
  const kept = Kept.safeParse(parseJson(await readFile(file, "utf8").catch(() => "")));
  if (kept.success && kept.data.tip === tip) return new Map(kept.data.files);
  const history = await readHistory(tip, root, git);
  await writeFileAtomic(file, JSON.stringify({ tip, files: [...history] }));
  return history;
}
