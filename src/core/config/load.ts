import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { DomainError, errnoOf } from "../errors.ts";
import { isInside } from "../files/allowed-roots.ts";
import { configDirectory } from "../home.ts";
import { Config } from "./config.ts";
import { type ConfigSource, explain } from "./explain.ts";
import { refuseInProject } from "./project-limits.ts";

/** Larger than any configuration a person writes. */
const MAX_BYTES = 1_000_000;

type TomlTable = Readonly<Record<string, unknown>>;
interface ConfigLocation {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Merges the project's `contextful.toml` over the user's `config.toml`, key by key; arrays are replaced whole. */
export async function loadConfig({ root, env }: ConfigLocation): Promise<Config> {
  const ownFile = join(configDirectory(env), "config.toml");
  const own = await readTable(ownFile, ownFile);
  const project = await readTable(join(root, "contextful.toml"), "contextful.toml", root);
  refuseInProject(project.table, { root, ownFile });
  const merged = Config.safeParse(merge(own.table, project.table));
  if (merged.success) return withOwnRefusals(merged.data, own.table);
  throw new DomainError("invalid_input", explain(merged.error, [project, own]), { reason: "config" });
}

/**
 * A project may stop the push at shutdown, but not start it for a user who has turned it off. It may name a repository, but
 * not for a token that the user gave for another one.
 */
function withOwnRefusals(config: Config, own: TomlTable): Config {
  const isOff = isTable(own["memory"]) && own["memory"]["push_at_shutdown"] === false;
  const memory = isOff ? { ...config.memory, push_at_shutdown: false } : config.memory;
  const { github, gitlab } = config.connectors;
  const connectors = {
    ...config.connectors,
    github: withOwnTokens(github, at(own, ["connectors", "github"])),
    gitlab: withOwnTokens(gitlab, at(own, ["connectors", "gitlab"])),
  };
  return { ...config, memory, connectors };
}

function withOwnTokens<
  Section extends { readonly repository: string; readonly token_env?: string | undefined },
>(sections: Readonly<Record<string, Section>>, own: unknown): Record<string, Section> {
  const isOwn = (name: string, { repository }: Section) => at(own, [name, "repository"]) === repository;
  return Object.fromEntries(
    Object.entries(sections).map(([name, section]) => [
      name,
      isOwn(name, section) ? section : { ...section, token_env: undefined },
    ]),
  );
}

const at = (table: unknown, [key = "", ...rest]: readonly string[]): unknown => {
  const value = isTable(table) ? table[key] : undefined;
  return rest.length === 0 ? value : at(value, rest);
};

/** `within`: the directory that must contain the file after links are followed. */
async function readTable(file: string, shown: string, within?: string): Promise<ConfigSource> {
  const text = await readSmallFile(file, shown, within);
  if (text === "") return { shown, table: {} };
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { shown, table: parse(text) };
  } catch (cause) {
    // First line only: the parser quotes the lines around a mistake, and this message may reach a model.
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    const where = cause instanceof TomlError ? ` (line ${cause.line}, column ${cause.column})` : "";
    throw new DomainError("invalid_input", `${shown} is not TOML${where}: ${why}`, {
      reason: "config",
      cause,
    });
  }
}

async function readSmallFile(file: string, shown: string, within: string | undefined): Promise<string> {
  const refused = (what: string) =>
    new DomainError("invalid_input", `${shown} must be ${what}.`, { reason: "config" });
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > MAX_BYTES) throw refused(`a file of at most ${MAX_BYTES} bytes`);
    if (within !== undefined && !isInside(await realpath(within), await realpath(file)))
      throw refused("a file of the project, not a link that leads out of it");
    return await readFile(file, "utf8");
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return "";
    if (thrown instanceof DomainError) throw thrown;
    throw new DomainError("unavailable", `Could not read ${shown}: ${errnoOf(thrown) ?? "unknown error"}.`, {
      reason: "config",
      cause: thrown,
    });
  }
}

/** Uses entries, not spread: a `__proto__` key stays an ordinary key and is refused as unknown. */
function merge(below: TomlTable, above: TomlTable): TomlTable {
  const merged = new Map<string, unknown>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    merged.set(key, isTable(under) && isTable(value) ? merge(under, value) : value);
  }
  return Object.fromEntries(merged);
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
