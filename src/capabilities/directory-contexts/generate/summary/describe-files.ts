import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DirectoryContext } from "../../schema.ts";
import { languageName, type SourceFile } from "../sources/sources.ts";
import { commentSentences, fileDoc, hasWords } from "./comments.ts";
import { compactSignature } from "./compact-signature.ts";
import { publicSymbols } from "./public-symbols.ts";
import { shortened } from "./sentences.ts";

type DescribedFiles = NonNullable<DirectoryContext["files"]>;
type DescribedInterfaces = NonNullable<DirectoryContext["interfaces"]>;

const MAX_INTERFACES = 15;
const MAX_INTERFACES_A_FILE = 5;

export function describeFiles(directory: string, sources: readonly SourceFile[]): DescribedFiles {
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

export function describeInterfaces(sources: readonly SourceFile[]): DescribedInterfaces {
  return sources
    .flatMap((source) =>
      publicSymbols(source)
        .filter(({ doc, kind }) => hasWords(doc) && kind !== "const" && kind !== "var")
        .filter(({ name }, index, all) => all.findIndex((each) => each.name === name) === index)
        .slice(0, MAX_INTERFACES_A_FILE)
        .map((symbol) => ({ name: compactSignature(symbol), description: commentSentences(symbol.doc) })),
    )
    .filter(({ description }) => description !== "")
    .slice(0, MAX_INTERFACES);
}

/** What a file says of itself, or what it defines. */
export function purposeOf(source: SourceFile): string {
  const doc = fileDoc(source);
  if (doc !== "") return doc;
  const offered = publicSymbols(source);
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

/** The test of a file, beside it or in one of the usual test directories. */
function testOf(directory: string, name: string, sources: readonly SourceFile[]): string | undefined {
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
