import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DomainError, errnoOf } from "../errors.ts";
import { configDirectory } from "../home.ts";
import { Config } from "./config.ts";
import { type ConfigFile, explain } from "./explain.ts";
import { refuseInProject } from "./project-limits.ts";

/** Larger than any configuration a person writes. */
const MAX_BYTES = 1_000_000;

type Table = Readonly<Record<string, unknown>>;
interface Where {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `contextful.toml` of the project over the user's own `config.toml`, key by key; arrays are replaced whole. */
export async function loadConfig({ root, env }: Where): Promise<Config> {
  const ownFile = join(configDirectory(env), "config.toml");
  const own = await readTable(ownFile, ownFile);
  const project = await readTable(join(root, "contextful.toml"), "contextful.toml");
  refuseInProject(project.table, ownFile);
  const merged = Config.safeParse(merge(own.table, project.table));
  if (merged.success) return merged.data;
  throw new DomainError("invalid_input", explain(merged.error, [project, own]), { reason: "config" });
}

async function readTable(file: string, shown: string): Promise<ConfigFile> {
  const text = await readSmallFile(file, shown);
  if (text === "") return { shown, table: {} };
  const { parse } = await import("smol-toml");
  try {
    return { shown, table: parse(text) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DomainError("invalid_input", `${shown} is not TOML: ${why}`, { reason: "config", cause });
  }
}

async function readSmallFile(file: string, shown: string): Promise<string> {
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > MAX_BYTES) {
      throw new DomainError("invalid_input", `${shown} must be a file of at most ${MAX_BYTES} bytes.`, {
        reason: "config",
      });
    }
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

/** Entries, not spread assignment: a `__proto__` key stays an ordinary, unknown key and is refused as such. */
function merge(below: Table, above: Table): Table {
  const merged = new Map<string, unknown>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    merged.set(key, isTable(under) && isTable(value) ? merge(under, value) : value);
  }
  return Object.fromEntries(merged);
}

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
