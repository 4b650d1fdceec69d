import { basename } from "node:path";
import { z } from "zod";
import { asDomainError } from "../../core/errors.ts";
import type { App } from "../../core/room-offer.ts";
import { toolCaller } from "./tool-caller.ts";

const LanguageShare = z.object({ language: z.string(), files: z.int(), lines: z.int(), symbols: z.int() });
export const PageOverview = z.object({
  name: z.string(),
  root: z.string(),
  status: z.unknown().describe("The output of get_status"),
  problem: z.string().optional().describe("Why there is no status"),
  languages: z.array(LanguageShare).describe("By lines, most first"),
  files_changed: z.int().describe("How many files changed since they were indexed"),
});

const IndexedFiles = z.object({
  files: z.array(z.object({ language: z.string(), lines: z.int(), symbols: z.int() })),
  files_changed: z.int(),
});

export async function overview(app: App, signal: AbortSignal): Promise<z.input<typeof PageOverview>> {
  const { root } = app.machine;
  const { ask } = toolCaller(app, signal);
  const about = { name: basename(root), root };
  try {
    const status = await ask("get_status", { path: root });
    const listed = IndexedFiles.safeParse(await ask("code_files").catch(() => undefined)).data;
    return {
      ...about,
      status,
      languages: sharesOf(listed?.files ?? []),
      files_changed: listed?.files_changed ?? 0,
    };
  } catch (thrown) {
    return {
      ...about,
      status: null,
      problem: asDomainError(thrown).message,
      languages: [],
      files_changed: 0,
    };
  }
}

function sharesOf(files: z.output<typeof IndexedFiles>["files"]) {
  const shares = new Map<string, { language: string; files: number; lines: number; symbols: number }>();
  for (const { language, lines, symbols } of files) {
    const share = shares.get(language) ?? { language, files: 0, lines: 0, symbols: 0 };
    shares.set(language, share);
    share.files += 1;
    share.lines += lines;
    share.symbols += symbols;
  }
  return [...shares.values()].sort((a, b) => b.lines - a.lines);
}
