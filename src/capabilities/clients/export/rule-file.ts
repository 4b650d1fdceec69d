import { dirname } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import type { Jail } from "../../../core/files/jail.ts";
import type { FileRefusal } from "../edit/config-file.ts";

/** A file of rules or a skill as it is in the project. */
export interface RuleFile {
  /** With the byte order mark it may have; `undefined` where there is no file. */
  readonly text: string | undefined;
  readonly isReadOnly: boolean;
}

/** Reads a file that may be written again: one whose text cannot be kept is refused. */
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

/** A file that is not there yet; one that could not be made is told before anything is written. */
async function newFile(jail: Jail, file: string): Promise<RuleFile | FileRefusal> {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    if ((await unlessAbsent(jail.resolve(folder))) === undefined) continue;
    if ((await jail.stat(folder))?.isDirectory()) break;
    return { refused: `${folder} is no directory` };
  }
  return { text: undefined, isReadOnly: false };
}

/** The text alone; `undefined` also where it cannot be read. */
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
