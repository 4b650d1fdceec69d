import { readFileSync } from "node:fs";
import { join } from "node:path";
import { discoverFiles } from "../../src/capabilities/code-index/scan/discover.ts";
import { isTestFile } from "../../src/core/files/path-kinds.ts";
import { sha256 } from "../../src/core/hash.ts";
import type { BenchmarkQuestion } from "./benchmark.ts";

const PER_REPOSITORY = 10;
/** A sentence in quotes: four words or more, without placeholders, which a user's message would not have. */
const MESSAGE = /(["'`])([A-Z][A-Za-z',:-]*(?: [A-Za-z',.:-]+){3,12})\1/g;

interface Place {
  readonly path: string;
  readonly line: number;
}

/** Messages that one line of the source holds, pasted as agents paste them. Tests and documents may hold them too. */
export async function messageQuestions(root: string): Promise<BenchmarkQuestion[]> {
  const flags = { includeTests: false, includeVendor: false };
  const { files } = await discoverFiles(root, flags, new AbortController().signal);
  const places = new Map<string, Place[]>();
  for (const { path, language } of files) {
    if (language === undefined || isTestFile(path)) continue;
    for (const [at, text] of readFileSync(join(root, path), "utf8").split("\n").entries())
      for (const [, , message = ""] of text.matchAll(MESSAGE))
        places.set(message, [...(places.get(message) ?? []), { path, line: at + 1 }]);
  }
  return [...places]
    .filter(([, found]) => found.length === 1)
    .sort(([a], [b]) => (sha256(a) < sha256(b) ? -1 : 1))
    .slice(0, PER_REPOSITORY)
    .map(([text, found]) => ({
      text,
      category: "message",
      targets: found.map(({ path, line }) => ({ path, lines: { start: line, end: line } })),
    }));
}
