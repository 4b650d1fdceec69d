import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ParsedSymbol } from "../../../core/parse/parse.ts";
import type { DirectoryContext } from "../schema.ts";
import { compactSignature } from "./compact-signature.ts";
import { offeredBy, passedOnBy } from "./offers.ts";
import { commentSentences, fileDoc, languageName, type Source, shortened } from "./sources.ts";

type Files = NonNullable<DirectoryContext["files"]>;
type Interfaces = NonNullable<DirectoryContext["interfaces"]>;

const MAX_EXPORTS = 25;
const MAX_INTERFACES = 15;
const MAX_INTERFACES_A_FILE = 5;

/** Signatures of what a directory offers: where there is too much, the most telling of each file. */
export function describeExports(sources: readonly Source[]): string[] {
  const distinct = new Map<string, Ranked>();
  for (const [file, source] of sources.entries()) {
    for (const [place, { signature, weight, line }] of offersOf(source, sources).entries()) {
      if (!distinct.has(signature)) distinct.set(signature, { weight, place, order: [file, line] });
    }
  }
  const best = [...distinct].sort(
    ([, a], [, b]) => a.weight - b.weight || a.place - b.place || a.order[0] - b.order[0],
  );
  const shown = best
    .slice(0, MAX_EXPORTS)
    .sort(([, { order: a }], [, { order: b }]) => a[0] - b[0] || a[1] - b[1])
    .map(([signature]) => signature);
  return best.length > MAX_EXPORTS ? [...shown, `… and ${best.length - MAX_EXPORTS} more`] : shown;
}

interface Ranked {
  readonly weight: number;
  /** Among those of its file, so that no file takes all the room. */
  readonly place: number;
  readonly order: readonly [file: number, line: number];
}

/** What a file declares or passes on for others, the most telling first. */
const offersOf = (source: Source, sources: readonly Source[]) =>
  [
    ...offeredBy(source).map((symbol) => ({
      symbol,
      line: symbol.startLine,
      signature: compactSignature(symbol),
    })),
    ...passedOnBy(source, sources),
  ]
    .map(({ symbol, line, signature }) => ({
      line,
      signature,
      weight: weightOf(symbol ?? asSeen(signature)),
    }))
    .sort((a, b) => a.weight - b.weight);

/** A bare name is most often a value. */
const asSeen = (signature: string) => ({ kind: /\W/.test(signature) ? "function" : "const", doc: "" });

/** Documented before the rest; types before functions, and constants last. */
const weightOf = ({ kind, doc }: Pick<ParsedSymbol, "kind" | "doc">) =>
  (kind === "const" || kind === "var" ? 4 : kind === "function" ? 1 : 0) + (doc === "" ? 2 : 0);

export function describeFiles(directory: string, sources: readonly Source[]): Files {
  return sources
    .filter(({ isTest }) => !isTest)
    .map((source) => {
      const test = testOf(directory, source.name, sources);
      return {
        name: source.name,
        purpose: purposeOf(source),
        ...(test !== undefined && { test_file: test }),
      };
    });
}

export function describeInterfaces(sources: readonly Source[]): Interfaces {
  return sources
    .flatMap((source) =>
      offeredBy(source)
        .filter(({ doc, kind }) => doc !== "" && kind !== "const" && kind !== "var")
        .slice(0, MAX_INTERFACES_A_FILE)
        .map((symbol) => ({ name: compactSignature(symbol), description: commentSentences(symbol.doc) })),
    )
    .filter(({ description }) => description !== "")
    .slice(0, MAX_INTERFACES);
}

function purposeOf(source: Source): string {
  const doc = fileDoc(source);
  if (doc !== "") return doc;
  const offered = offeredBy(source);
  const only = offered.length === 1 ? commentSentences(offered[0]?.doc ?? "") : "";
  if (only !== "") return only;
  if (offered.length > 0) {
    const names = [...new Set(offered.map(({ name }) => name))];
    return `Defines ${names.slice(0, 4).join(", ")}${names.length > 4 ? ` and ${names.length - 4} more` : ""}.`;
  }
  const heading = /^#[ \t]+(.+)$/m.exec(/\.mdx?$/.test(source.name) ? source.text : "")?.[1];
  if (heading !== undefined) return shortened(heading.trim());
  const language = languageName(source.name);
  return language === undefined ? "Configuration or data." : `${language} source.`;
}

/** The test that stands beside a file, or in the usual directories under or next to it. */
function testOf(directory: string, name: string, sources: readonly Source[]): string | undefined {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = [name.slice(0, dot), name.slice(dot)];
  const candidates = [`${stem}.test${extension}`, `${stem}.spec${extension}`, `${stem}_test${extension}`];
  if (extension === ".py") candidates.push(`test_${name}`);
  if (extension === ".java") candidates.push(`${stem}Test.java`);
  const beside = candidates.find((candidate) => sources.some((source) => source.name === candidate));
  if (beside !== undefined) return beside;
  return ["tests", "test", "__tests__"]
    .flatMap((folder) => candidates.map((candidate) => `${folder}/${candidate}`))
    .find((path) => existsSync(join(directory, path)));
}
