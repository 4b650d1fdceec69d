import { z } from "zod";
import { Config } from "./config.ts";

export interface ConfigFile {
  /** How the file is called in messages. */
  readonly shown: string;
  readonly table: Readonly<Record<string, unknown>>;
}
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One line per mistake: the file, the key, what is wrong, and the known key that was probably meant. */
export const explain = (error: z.ZodError, files: readonly ConfigFile[]): string =>
  error.issues.flatMap((issue) => linesFor(issue, files)).join("\n");

function linesFor(issue: Issue, files: readonly ConfigFile[]): string[] {
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

/** The file that holds the key, or for a missing one, the table it is missing from. */
function fileOf(path: Path, files: readonly ConfigFile[]): string {
  for (let length = path.length; length > 0; length--) {
    const file = files.find(({ table }) => holds(table, path.slice(0, length)));
    if (file) return file.shown;
  }
  return files.map(({ shown }) => shown).join(" or ");
}

function holds(table: unknown, path: Path): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, key)) return false;
  return holds(Object.entries(table).find(([name]) => name === String(key))?.[1], rest);
}

const Node = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

function knownKeys(path: Path): string[] {
  let node: unknown = z.toJSONSchema(Config, { io: "input" });
  for (const key of path) {
    const { properties = {}, additionalProperties } = Node.catch({}).parse(node);
    node = properties[String(key)] ?? additionalProperties;
  }
  return Object.keys(Node.catch({}).parse(node).properties ?? {});
}

/** The known word that was probably meant, or `undefined` where none is near. */
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
