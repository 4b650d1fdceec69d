import { z } from "zod";
import { nearest } from "../nearest.ts";
import { Config } from "./config.ts";

export interface ConfigSource {
  /** The file's name in messages. */
  readonly shown: string;
  readonly table: Readonly<Record<string, unknown>>;
}
type ConfigIssue = z.core.$ZodIssue;
type ConfigPath = readonly PropertyKey[];

/** One line per mistake: the file, the key, what is wrong, and the known key that is most similar. */
export const explain = (error: z.ZodError, files: readonly ConfigSource[]): string =>
  error.issues.flatMap((issue) => linesFor(issue, files)).join("\n");

function linesFor(issue: ConfigIssue, files: readonly ConfigSource[]): string[] {
  if (issue.code !== "unrecognized_keys") {
    const reason = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    return [`${fileOf(issue.path, files)}: ${issue.path.join(".")}: ${reason}.`];
  }
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const meant = nearest(key, known);
    const hint = meant === undefined ? `Known here: ${known.join(", ")}.` : `Did you mean ${meant}?`;
    return `${fileOf(path, files)}: unknown key ${path.join(".")}. ${hint}`;
  });
}

/** The file that contains the key or, if the key is missing, the table around it. */
function fileOf(path: ConfigPath, files: readonly ConfigSource[]): string {
  for (let length = path.length; length > 0; length--) {
    const file = files.find(({ table }) => holds(table, path.slice(0, length)));
    if (file) return file.shown;
  }
  return files.map(({ shown }) => shown).join(" or ");
}

function holds(table: unknown, path: ConfigPath): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, key)) return false;
  return holds(Object.entries(table).find(([name]) => name === String(key))?.[1], rest);
}

const SchemaNode = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

function knownKeys(path: ConfigPath): string[] {
  let node: unknown = z.toJSONSchema(Config, { io: "input" });
  for (const key of path) {
    const { properties = {}, additionalProperties } = SchemaNode.catch({}).parse(node);
    node = properties[String(key)] ?? additionalProperties;
  }
  return Object.keys(SchemaNode.catch({}).parse(node).properties ?? {});
}
