import { join, posix } from "node:path";
import { listDirectory } from "../../freshness/fingerprint.ts";
import { parentOf } from "../../read/scan-directories.ts";
import { withoutSection } from "../agents-file.ts";
import { sourceText } from "../sources/sources.ts";
import { readmeSentences, withoutMarkup } from "./readme.ts";
import { descriptionIn } from "./sentences.ts";
import { capital } from "./words.ts";

export interface ProjectMap {
  /** What the documents above a directory say about it: `src/net — talks to peers`. A package is also found by its name. */
  about(scope: string, packageName?: string): string;
  /** What the README of the whole project says. */
  readonly readme: string;
}

/** A line about a directory. */
interface MapEntry {
  /** As written: a path from the project's root or from the document, or the name of a package. */
  readonly path: string;
  readonly text: string;
}

const DOCUMENTS =
  /^(readme|contributing|architecture|development|developing|hacking|structure|codebase|overview|layout|agents|claude|copilot-instructions|design|internals)[\w-]*\.(mdx?|rst|txt)$|[_-](architecture|structure|layout|organi[sz]ation|overview)\.(mdx?|rst|txt)$/i;
/** Folders whose documents are about the whole project. */
const FOLDERS = ["docs", "doc", ".github"];
const MAX_DOCUMENTS = 20;

/** Documents are read once in a run. */
export function openProjectMap(root: string): ProjectMap {
  const known = new Map<string, readonly MapEntry[]>();
  const entriesOf = (folder: string): readonly MapEntry[] => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const names = (listDirectory(join(root, folder))?.files ?? []).map(({ name }) => name);
    const entries = names
      .filter((name) => DOCUMENTS.test(name))
      .slice(0, MAX_DOCUMENTS)
      .flatMap((name) => readMap(withoutSection(sourceText(join(root, folder, name)) ?? "")));
    known.set(folder, entries);
    return entries;
  };
  const about = (scope: string, packageName?: string) => {
    if (scope === ".") return "";
    const isPackage = packageName !== undefined;
    const names = [packageName, packageName?.replace(/^@.*\//, ""), posix.basename(scope)];
    for (let above = parentOf(scope); ; above = parentOf(above)) {
      for (const folder of above === "." ? [".", ...FOLDERS] : [above]) {
        const found = entriesOf(folder).find(
          ({ path }) =>
            path === scope || posix.join(above, path) === scope || (isPackage && names.includes(path)),
        );
        if (found) return found.text;
      }
      if (above === ".") return "";
    }
  };
  const top = (listDirectory(root)?.files ?? []).filter(({ name }) => DOCUMENTS.test(name));
  const texts = top.map(({ name }) => ({ name, text: sourceText(join(root, name)) ?? "" }));
  return { about, readme: readmeSentences(texts) };
}

const HEADING = /^#{1,6}\s+(.+)$/;
const UNDERLINED = /^(\S.*)\n(?:=|-){3,}[ \t]*$/gm;
/** Below these headings, plain words in lists name directories; inDocuments they may be scripts or options. */
const ABOUT_DIRECTORIES =
  /structure|layout|director|folder|architecture|packages?\b|workspace|modules|crates|codebase|organi[sz]ation|repository|source/i;
/** A longer row of tildes underlines a title. */
const FENCE = /^\s*(```|~~~(?!~))/;
/** `- path: text`, with the path in backticks, bold or a link. */
const LISTED =
  /^\s*(?:[-*+]|\d+[.)])\s+(?:\*\*|__|`|\[)*([@\w.][\w@./-]*)(?:`|\*\*|__|\]\([^()]*\)|\])*\s*(?::(?:\*\*)?|–|—|-{1,2}|→|=>)\s+(\S.*)$/;
/** `The path directory contains text.` */
const IN_PROSE =
  /^(?:The|In)?\s*`?([@\w.][\w@./-]*\/?)`?\s+(?:directory|folder|package|module|crate)\s+((?:contains|holds|has|provides|implements|includes|is)\s.+)$/;

/** The lines of a document that say what directories are for. */
export function readMap(text: string): MapEntry[] {
  const entries: MapEntry[] = [];
  let heading = "";
  let tree: TreePlace[] | undefined;
  for (const line of text.replaceAll("\r\n", "\n").replace(UNDERLINED, "# $1").split("\n")) {
    if (FENCE.test(line)) tree = tree ? undefined : [];
    else if (tree) entries.push(...inTree(line, tree));
    else {
      heading = HEADING.exec(line)?.[1] ?? heading;
      entries.push(...inProse(line, ABOUT_DIRECTORIES.test(heading)));
    }
  }
  return entries;
}

function inProse(line: string, isAboutDirectories: boolean): MapEntry[] {
  const [, path = "", text = ""] = LISTED.exec(line) ?? IN_PROSE.exec(line) ?? inTable(line);
  return path.includes("/") || isAboutDirectories ? entryOf(path, text) : [];
}

function inTable(line: string): readonly string[] {
  if (!/^\s*\|/.test(line)) return [];
  const [, first = "", ...rest] = line.split("|").map((cell) => withoutMarkup(cell).replaceAll("`", ""));
  return [line, first, rest.find((cell) => cell.split(/\s+/).length > 2) ?? ""];
}

interface TreePlace {
  readonly column: number;
  readonly path: string;
}
/** A line of a drawn tree. The column of a name says what it is below. */
const IN_TREE =
  /^([\s│├└─|+`\\-]*)([@\w.[][\w@.\][-]*)\/?(?:(?:\s+(?:#+|\/\/|--|—|–|←|<-|:|-|→)\s*|\s{2,})(.*))?$/;

function inTree(line: string, open: TreePlace[]): MapEntry[] {
  const [, indent = "", name = "", text = ""] = IN_TREE.exec(line) ?? [];
  if (name === "") return [];
  while ((open.at(-1)?.column ?? -1) >= indent.length) open.pop();
  const path = posix.join(open.at(-1)?.path ?? "", name);
  // The first line is often the project itself.
  const isRoot = open.length === 0 && indent === "" && text === "";
  open.push({ column: indent.length, path: isRoot ? "" : path });
  return entryOf(path, text);
}

function entryOf(path: string, text: string): MapEntry[] {
  const said = descriptionIn(withoutMarkup(text));
  const isSaid = said.split(/\s+/).length > 2 && /^[\p{L}\p{N}`"'(]/u.test(said);
  return path === "" || !isSaid
    ? []
    : [{ path: path.replace(/^\.\//, "").replace(/\/+$/, ""), text: sentence(said) }];
}

const sentence = (text: string) => {
  const started = capital(text);
  return /[.!?]$/.test(started) ? started : `${started}.`;
};
