import { z } from "zod";
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

/** The most similar known word, or `undefined` if none is similar. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
