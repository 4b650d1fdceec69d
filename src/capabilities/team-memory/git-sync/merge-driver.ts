import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { askGit } from "../../../core/git/git.ts";
import { mergeFile } from "../merge/file-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import type { StorePlace } from "../store/locate.ts";
import { mustGit } from "./repository/repository.ts";

const DRIVER = "contextful";
/** At any depth: the store may be in a subfolder of the repository. */
const ATTRIBUTES = `**/${STORE_DIRECTORY}/** merge=${DRIVER}`;

interface DriverFiles {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** The path in the repository, which decides how to merge the file. */
  readonly path: string;
}

/** Git calls this for each file that both sides changed. Writes the result to `ours`. False: it contains conflict markers. */
export async function runMergeDriver({ base, ours, theirs, path }: DriverFiles): Promise<boolean> {
  const bytes = await Promise.all([base, ours, theirs].map((file) => readFile(file)));
  if (!bytes.every((content) => isUtf8(content))) return false;
  const [before = "", mine = "", other = ""] = bytes.map((content) => content.toString("utf8"));
  const isAdded = before === "" && mine !== "" && other !== "";
  const { text, conflict } = mergeFile(
    path,
    { base: isAdded ? undefined : before, ours: mine, theirs: other },
    "marked",
  );
  await writeFileAtomic(ours, text ?? "");
  return conflict === undefined;
}

/** How git can call this program: the same runtime and the same file. */
export const thisProgram = (): readonly string[] => [process.execPath, realpathSync(process.argv[1] ?? "")];

/** Registers the driver in the configuration of this clone and assigns the store's files to it in `.git/info/attributes`. */
export async function installMergeDriver({ root }: StorePlace, command: readonly string[]): Promise<string> {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const set = (key: string, value: string) =>
    mustGit(["config", "--local", `merge.${DRIVER}.${key}`, value], { cwd: root });
  await set("name", "sections of the team's memory");
  await set("driver", `${quoted} memory merge-driver %O %A %B %P`);
  const file =
    (
      await askGit(["rev-parse", "--path-format=absolute", "--git-path", "info/attributes"], { cwd: root })
    )?.trim() ?? join(root, ".git", "info", "attributes");
  const known = await readFile(file, "utf8").catch((thrown: unknown) => {
    if (errnoOf(thrown) === "ENOENT") return "";
    throw thrown;
  });
  if (!known.split("\n").includes(ATTRIBUTES)) {
    await writeFileAtomic(
      file,
      `${known === "" || known.endsWith("\n") ? known : `${known}\n`}${ATTRIBUTES}\n`,
    );
  }
  return file;
}
