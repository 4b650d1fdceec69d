import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../core/errors.ts";
import { askGit, runGit } from "../../core/git/git.ts";
import type { Change, PackItem } from "./item.ts";

export interface ChangeSet {
  /** The two commits, so that a pack names what it was made from. */
  readonly commits: string;
  readonly changes: readonly Change[];
}

const RANGE = /^([^\s.-][^\s]*?)(\.{2,3})([^\s.-][^\s]*)$/;
const MOST_LINES = 60;

/** What a git range changed. Only objects are compared: nothing of the repository's configuration runs. */
export async function readChanges(root: string, range: string): Promise<ChangeSet> {
  const match = RANGE.exec(range);
  if (!match) throw invalidRange(range);
  const [from, to] = [
    await commitOf(root, match[1] ?? "", range),
    await commitOf(root, match[3] ?? "", range),
  ];
  const start =
    match[2] === "..." ? ((await askGit(["merge-base", from, to], { cwd: root }))?.trim() ?? from) : from;
  const { stdout } = await runGit(
    [
      "diff-tree",
      "-r",
      "-p",
      "-U0",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--relative",
      start,
      to,
    ],
    { cwd: root, timeoutMs: 20_000 },
  );
  return { commits: `${start}..${to}`, changes: parsePatch(stdout.toString("utf8")) };
}

async function commitOf(root: string, revision: string, range: string): Promise<string> {
  const commit = await askGit(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
    { cwd: root },
  );
  if (commit === undefined) throw invalidRange(range);
  return commit.trim();
}

const invalidRange = (range: string) =>
  new DomainError(
    "invalid_input",
    `Not a git range here: ${range}. Use BASE..HEAD with two commits that exist.`,
    {
      details: { param: "diff" },
    },
  );

function parsePatch(patch: string): Change[] {
  const changes: { path: string; status: string; lines: { start: number; end: number }[] }[] = [];
  for (const line of patch.split("\n")) {
    const header = /^diff --git "?a\/.*"? "?b\/(.*?)"?$/.exec(line);
    if (header) changes.push({ path: header[1] ?? "", status: "modified", lines: [] });
    const current = changes.at(-1);
    if (!current) continue;
    if (line.startsWith("new file mode")) current.status = "added";
    if (line.startsWith("deleted file mode")) current.status = "deleted";
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    const [start, length] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    if (length > 0) current.lines.push({ start, end: start + length - 1 });
  }
  return changes;
}

/** The largest hunk of each changed file, quoted from the disk. */
export async function changeItems(root: string, changes: readonly Change[]): Promise<PackItem[]> {
  const items = await Promise.all(changes.map((change) => changeItem(root, change)));
  return items.filter((item) => item !== undefined);
}

async function changeItem(root: string, { path, status, lines }: Change): Promise<PackItem | undefined> {
  const hunk = lines.reduce<{ start: number; end: number } | undefined>(
    (best, next) => (best === undefined || next.end - next.start > best.end - best.start ? next : best),
    undefined,
  );
  const text = await readFile(join(root, path), "utf8").catch(() => undefined);
  if (hunk === undefined || text === undefined) return undefined;
  const quote = (start: number, end: number) => {
    const quoted = text.split("\n").slice(start - 1, end);
    return { text: quoted.join("\n"), citation: { path, start, end: start + quoted.length - 1 } };
  };
  const whole = quote(hunk.start, Math.min(hunk.end, hunk.start + MOST_LINES - 1));
  if (whole.text.trim() === "") return undefined;
  return {
    id: `change:${path}`,
    room: "packs",
    kind: "change",
    title: `${path} (${status})`,
    score: 0.8,
    why: `${status} in the range`,
    provenance: "git range",
    freshness: "fresh",
    language: path.split(".").at(-1) ?? "text",
    sizes: hunk.end - hunk.start > 5 ? [whole, quote(hunk.start, hunk.start + 2)] : [whole],
  };
}
