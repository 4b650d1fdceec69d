import { readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { parse, stringify } from "smol-toml";
import { z } from "zod";
import { Config } from "../../core/config/config.ts";
import { refuseInProject } from "../../core/config/project-limits.ts";
import { unifiedDiff } from "../../core/diff/unified.ts";
import { DomainError, errnoOf } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files/atomic-write.ts";
import { configDirectory } from "../../core/home.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { DOCUMENT_FILES } from "./default-source.ts";
import type { AddedSource, AddSourceRequest } from "./schemas.ts";

const FILE = "contextful.toml";

type SourceSection = Readonly<Record<string, unknown>>;
interface NewSource {
  readonly type: "filesystem" | "web" | "git";
  readonly name: string;
  readonly section: SourceSection;
}

/** Adds a connector to the project's contextful.toml. Shows the change and asks first. */
export async function addSource(
  machine: Machine,
  input: AddSourceRequest,
  { confirm }: Pick<Call, "confirm">,
): Promise<AddedSource> {
  const source = newSource(machine.root, input);
  const before = readIfPresent(join(machine.root, FILE));
  const { after, label } = withSource(before ?? "", source);
  checkConfig(machine, after);
  const diff = unifiedDiff(
    { label: before === undefined ? "/dev/null" : FILE, text: before ?? "" },
    { label: FILE, text: after },
  );
  const isWanted = input.yes || (await confirm?.(`${diff}\n`, `Write ${FILE}?`)) === true;
  if (isWanted) await writeFileAtomic(join(machine.root, FILE), after);
  return { label, file: FILE, diff, written: isWanted };
}

function newSource(root: string, { source, name }: AddSourceRequest): NewSource {
  const given = name === undefined ? undefined : nameOf(name);
  if (/^[\w.-]+@[\w.-]+:/.test(source) || /^(?:https?|ssh|git):\/\/.*\.git\/?$/.test(source)) {
    const section = { url: source, include: DOCUMENT_FILES };
    return { type: "git", name: given ?? nameOf(basename(source, ".git")), section };
  }
  if (/^https?:\/\//.test(source)) {
    const section = /sitemap[^/]*\.xml$/.test(source) ? { sitemap: source } : { pages: [source] };
    return { type: "web", name: given ?? nameOf(new URL(source).hostname), section };
  }
  const directory = relative(root, resolve(root, source));
  if (directory.startsWith(`..${sep}`) || directory === "..") {
    throw new DomainError(
      "invalid_input",
      `${source} is outside the project. Add it to your own config.toml: [connectors.filesystem.NAME] with root = "PATH".`,
    );
  }
  if (!statSync(join(root, directory), { throwIfNoEntry: false })?.isDirectory()) {
    throw new DomainError("not_found", `${source} is neither a directory of the project nor an address.`);
  }
  const path = directory.split(sep).join("/") || ".";
  const section = { root: path, include: DOCUMENT_FILES, gitignore: true };
  return { type: "filesystem", name: given ?? nameOf(path === "." ? basename(root) : path), section };
}

const nameOf = (text: string) => text.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 64) || "source";

/** The text with one more table at its end; everything before it stays as it is. */
function withSource(before: string, { type, name, section }: NewSource) {
  const label = `${type}:${name}`;
  const old = parse(before);
  if (tableAt(old, type, name) !== undefined) {
    throw new DomainError("conflict", `${label} is in ${FILE} already. Give another --name.`);
  }
  const own = { connectors: { [type]: { [name]: section } } };
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  return { after: `${before}${gap}${stringify(own).trimEnd()}\n`, label };
}

function tableAt(table: unknown, type: string, name: string): unknown {
  const Table = z.object({ connectors: z.record(z.string(), z.record(z.string(), z.unknown())) });
  return Table.safeParse(table).data?.connectors[type]?.[name];
}

/** What is written must be readable at the next start. */
function checkConfig({ root, env }: Machine, text: string): void {
  try {
    const table = parse(text);
    refuseInProject(table, { root, ownFile: join(configDirectory(env), "config.toml") });
    Config.parse(table);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("invalid_input", `${FILE} has an unusual form. Add the lines by hand.`, { cause });
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}
