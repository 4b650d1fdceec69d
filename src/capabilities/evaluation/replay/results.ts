import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { EvaluatedTask } from "../schemas.ts";

const ResultLine = z.object({ commit: z.string(), task: EvaluatedTask.optional() });

/** The results of a run that is not finished: one line per commit, so that the next run continues it. */
export async function openResults(directory: string, key: string) {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `unfinished-${key.slice(0, 16)}.ndjson`);
  const text = await readFile(file, "utf8").catch(() => "");
  const results = new Map<string, EvaluatedTask | undefined>();
  for (const line of text.split("\n")) {
    const parsed = ResultLine.safeParse(parseLine(line));
    if (parsed.success) results.set(parsed.data.commit, parsed.data.task);
  }
  return {
    has: (commit: string): boolean => results.has(commit),
    /** `undefined` if the commit changed no function of its parent. */
    get: (commit: string): EvaluatedTask | undefined => results.get(commit),
    async add(commit: string, task: EvaluatedTask | undefined): Promise<void> {
      results.set(commit, task);
      await appendFile(file, `${JSON.stringify({ commit, task })}\n`, { mode: 0o600 });
    },
    remove: () => rm(file, { force: true }),
  };
}

/** The last line may be cut off. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
