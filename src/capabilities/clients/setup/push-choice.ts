import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { errnoOf } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { askGit } from "../../../core/git/git.ts";
import { configDirectory } from "../../../core/home.ts";
import { isRecord } from "../../../core/json.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";

/** Asks once whether servers push the memory that they wrote, and keeps the answer in the user's own configuration. */
export async function choosePush({ env, root }: Machine, { confirm }: Pick<Call, "confirm">): Promise<void> {
  const file = join(configDirectory(env), "config.toml");
  const before = readIfPresent(file);
  if (confirm === undefined || hasChoice(before) || !(await askGit(["remote"], { cwd: root }))?.trim())
    return;
  const isWanted = await confirm(
    "When a session ends, Contextful can push the team memory that the agent wrote in it to your git remote.",
    "Push it at the end of each session?",
  );
  await writeFileAtomic(file, withChoice(before, isWanted), 0o600);
}

/** A file that cannot be read as TOML is left for its owner. */
function hasChoice(text: string): boolean {
  try {
    const { memory } = parse(text);
    return isRecord(memory) && "push_at_shutdown" in memory;
  } catch {
    return true;
  }
}

export function withChoice(before: string, isWanted: boolean): string {
  const line = `push_at_shutdown = ${isWanted}\n`;
  const header = /^[ \t]*\[memory\][ \t]*(?:#.*)?\r?\n?/m.exec(before);
  if (header === null)
    return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}[memory]\n${line}`;
  const end = header.index + header[0].length;
  const gap = header[0].endsWith("\n") ? "" : "\n";
  return `${before.slice(0, end)}${gap}${line}${before.slice(end)}`;
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return "";
    throw thrown;
  }
}
