import { dirname } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import type { Jail } from "../../../core/files/jail.ts";
import type { FileRefusal } from "../edit/config-file.ts";

/** A rule file or skill file of the project. */
export interface RuleFile {
  /** Including a byte order mark; `undefined` if there is no file. */
  readonly text: string | undefined;
  readonly isReadOnly: boolean;
}

/** Reads a file that may be written later. A file that is not UTF-8 is refused: its text could not be preserved. */
export async function readRuleFile(jail: Jail, file: string): Promise<RuleFile | FileRefusal> {
  if ((await unlessAbsent(jail.resolve(file))) === undefined) return newFile(jail, file);
  const bytes = await unlessAbsent(jail.read(file, { maxBytes: 4_000_000 }));
  const stat = await jail.stat(file);
  if (bytes === undefined || stat === undefined) return { refused: "it cannot be read" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, isReadOnly: (stat.mode & 0o222) === 0 };
  } catch {
    return { refused: "it is not UTF-8" };
  }
}

/** A new file. It is refused now if it could not be created later. */
async function newFile(jail: Jail, file: string): Promise<RuleFile | FileRefusal> {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    if ((await unlessAbsent(jail.resolve(folder))) === undefined) continue;
    if ((await jail.stat(folder))?.isDirectory()) break;
    return { refused: `${folder} is not a directory` };
  }
  return { text: undefined, isReadOnly: false };
}

/** Only the text; `undefined` also if it cannot be read. */
export async function readText(jail: Jail, file: string): Promise<string | undefined> {
  const read = await readRuleFile(jail, file);
  return "refused" in read ? undefined : read.text;
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "not_found") return undefined;
    throw thrown;
  }
}
