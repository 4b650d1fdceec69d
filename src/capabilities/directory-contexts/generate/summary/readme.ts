import type { SourceFile } from "../sources/sources.ts";
import { descriptionIn, EMPHASIS, firstSentences, isDescription, shortened } from "./sentences.ts";

/** Titles that do not say what it is. */
const NOT_ABOUT_IT =
  /^(install|usage|licen[cs]e|quick ?start|contribut|(table of )?contents|change ?log|examples?$|tests?$|about|overview|introduction|legal\b|notices?$|credits|\w+ing\b|how to)|\b(documentation|overview|readme)\W*$/i;

/** Even as the title of a README: it is about work with the directory. */
const STEPS =
  /^((tests?|testing|installation|licen[cs]e|contributing|building|releasing|change ?log)$|how to\b)/i;
/** As a title these say nothing; what is below them does. */
const INTRODUCTION = /^(overview|about|introduction|description|summary|what is|what's|purpose)\b/i;

/** The first sentences of a README that describe the whole. */
export function readmeSentences(
  sources: readonly Pick<SourceFile, "name" | "text">[],
  names: readonly string[] = [],
): string {
  const blocks = blocksOf(readmeOf(sources));
  const own = new Set(names.map(plainName).filter((name) => name !== ""));
  // A slogan of the whole project may come before the title of the package.
  const title = blocks.findIndex((block) => own.has(plainName(headingOf(block) ?? "-")));
  const first =
    sentencesBelow(blocks.slice(Math.max(title, 0)), own) || (title > 0 ? sentencesBelow(blocks, own) : "");
  // A motto or an introduction to the subject may come first; a sentence that begins with the name says what it is.
  const isMotto = first.split(" ").length < SHORT || /^[^\p{L}\p{N}`]/u.test(first);
  const [subject = ""] = first.split(" ");
  const isDefinition = own.has(plainName(subject)) || /^This\b/.test(first);
  return (isMotto || !isDefinition ? definitionIn(blocks, own) : "") || first;
}

/** Whether a sentence has the name of what it is about, or says "this package". */
export function namesItself(said: string, names: readonly string[]): boolean {
  const own = names.map(plainName).filter((name) => name !== "");
  return (
    THIS.test(said) ||
    own.some(
      (name) =>
        said.split(/\s+/).some((word) => plainName(word) === name) ||
        // A name may be written in two words.
        (name.length > 3 && plainName(said).startsWith(name)),
    )
  );
}

/** Fewer words may be a motto. */
const SHORT = 9;
/** How many blocks after the title may come before the sentence that says what it is. */
const NEAR = 25;

function definitionIn(blocks: readonly string[], own: ReadonlySet<string>): string {
  let headings = 0;
  for (const block of blocks.slice(0, NEAR)) {
    if (headingOf(block) !== undefined) headings += 1;
    // A list may follow the definition.
    const prose = headingOf(block) === undefined ? firstSentences(proseOf(block.replace(/:\s*$/, "."))) : "";
    const [, name = ""] = DEFINITION.exec(prose) ?? [];
    if (own.has(plainName(name)) || (headings < 2 && THIS_IS.test(prose))) return descriptionIn(prose);
    // Without a title, the first heading begins a section.
    if (prose !== "") headings = Math.max(headings, 1);
  }
  return "";
}
const DEFINITION =
  /^\W*([\w.@/-]+)\W? (?:(?:is|are) (?:an?|the|one|open|free)|provides|implements|allows|lets|helps|makes|offers|contains|adds|enables)\b/;

const THIS = /^This (?:crate|package|library|module|project|directory|folder|gem|repository|plugin)\b/;
const THIS_IS = new RegExp(
  `${THIS.source} (?:is an?|aims|provides|implements|contains|holds|offers|adds)\\b`,
);

const plainName = (name: string) => name.replace(/\W|_/g, "").toLowerCase();

/** Only what comes below the title, or below an introduction, is about the whole. */
function sentencesBelow(blocks: readonly string[], own: ReadonlySet<string>): string {
  let headings = 0;
  let isAbout = true;
  for (const block of blocks) {
    const heading = headingOf(block);
    if (heading !== undefined) {
      // The first heading is the title, whatever it is called.
      isAbout =
        headings === 0 ? !STEPS.test(heading) : INTRODUCTION.test(heading) || own.has(plainName(heading));
      headings += 1;
    }
    const prose =
      heading !== undefined || !isAbout || isAboutAnother(block, own) ? "" : descriptionIn(proseOf(block));
    if (prose !== "" && isSentenceLike(prose)) return prose;
  }
  return "";
}

/** A sponsor or another project is introduced with a link. */
function isAboutAnother(block: string, own: ReadonlySet<string>): boolean {
  const [, inText = "", inMarkdown = ""] = LINK_FIRST.exec(block) ?? [];
  const name = plainName(inText + inMarkdown);
  return name !== "" && !own.has(name);
}
const LINK_FIRST =
  /^(?:`([^`<>]+)<https?:[^<>]*>`_+|\[([^[\]]+)\]\(https?:[^()]*\))\s+(?:is|are|offers|provides)\b/;

/** The rest of a sentence that code or a list interrupted starts with a small word. */
const isSentenceLike = (prose: string) =>
  (prose.split(" ").length > 2 || prose.endsWith(".")) &&
  !/^(a|an|and|or|but|then|with|to|by|in|on|if)\b/.test(prose);

/** The title of a README as a sentence. */
export function readmeTitle(sources: readonly SourceFile[]): string {
  const title = blocksOf(readmeOf(sources)).flatMap((block) => headingOf(block) || [])[0];
  // A single word is only the name.
  if (title === undefined || !/\s/.test(title) || NOT_ABOUT_IT.test(title) || !isDescription(title))
    return "";
  return /[.!?]$/.test(title) ? title : `${title}.`;
}

const readmeOf = (sources: readonly Pick<SourceFile, "name" | "text">[]): string =>
  sources.find(({ name }) => /^readme(\.(md|mdx|markdown|rst|txt|adoc))?$/i.test(name))?.text ?? "";

function headingOf(block: string): string | undefined {
  const named = /^#{1,6}[ \t]+(.+)$/.exec(block)?.[1];
  return named === undefined ? undefined : shortened(withoutMarkup(named.replace(/(?<!\s)\s+#+$/, "")));
}

/** Paragraphs and headings as separate blocks; underlined headings become `#` headings. */
function blocksOf(text: string): string[] {
  const body = text.replaceAll("\r\n", "\n").replace(/^---\n[\s\S]*?\n---\n/, "");
  return (
    cutOut(body, "<!--", "-->")
      // A quotation that ends with its author is a motto.
      .outside.replace(/^>.*\n(?:>.*\n){0,5}?>[ \t]*(?:--|—).*$/gm, "")
      .replace(/^(```|~~~)[\s\S]*?^\1/gm, "")
      // Directives of reStructuredText, with what is indented below them.
      .replace(/^\.\. .*\n(?:[ \t]*\n|[ \t]+\S.*\n)*/gm, "\n")
      // In HTML, the ends of headings and paragraphs separate blocks too.
      .replace(/<h[1-6][^<>]*>([^<>]*)<\/h[1-6]>/gi, "\n\n# $1\n\n")
      .replace(/<\/?(?:p|div|h[1-6]|center|table|br)\b[^<>]*>/gi, "\n\n")
      .replace(/^(\S.*)\n[ \t]*([=~^*#"'.+_-])\2{2,}[ \t]*$/gm, "\n# $1\n")
      // AsciiDoc.
      .replace(/^={1,6}(?=[ \t]\S)/gm, "#")
      .replace(/^#{1,6}(?:[ \t].*)?$/gm, "\n$&\n")
      .split(/\n\s*\n/)
      .map((block) => block.trim())
      .filter((block) => block !== "")
  );
}

/** Two lines such as `place.py -- places orders`. */
const TERMS = /^\S+\s+(--?|–|—|:)\s.*\n\s*\S+\s+(--?|–|—|:)\s/;

/** The block as plain text; empty if it is a list, a table, a directive or a definition. */
function proseOf(block: string): string {
  if (/^([*+-]|\d+[.)])\s|^\||^\.\. |^:\w+:|^\[[^\]]*\]:|```/.test(block) || TERMS.test(block)) return "";
  // A list may follow its first line directly.
  const text = withoutMarkup(
    (block.split(/\n\s*(?:[*+-]|\d+[.)])\s/)[0] ?? "").replace(/^[ \t]*>[ \t]?/gm, ""),
  )
    // The start of the list that follows.
    .replace(/(?<=[.!?])\s+[^.!?]*:\s*$/, "");
  // Rows of links, badges and translations are not sentences.
  const links = block.match(/\]\(/g)?.length ?? 0;
  const isSentence =
    (links < 2 || text.split(/\s+/).length > links * (text.endsWith(".") ? 3 : 5)) &&
    text.split(/\s+/).length > 1 &&
    !/[•·|]|&(nbsp|middot|bull);|:\s*$/.test(text);
  return isSentence && /^[\p{L}\p{N}*_`"'(]/u.test(text) ? text : "";
}

/** No character class includes the opening bracket; otherwise repeated brackets would take quadratic time. */
export const withoutMarkup = (text: string) =>
  text
    .replace(/!\[[^[\]]*\](\([^()]*(\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, "")
    .replace(/\[([^[\]]*)\](\([^()]*(\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, "$1")
    // A number in brackets is a footnote.
    .replace(/\[\^?\d+\]/g, "")
    .replace(/\[([^[\]]+)\]/g, "$1")
    .replace(/(\*\*|__)(.+?)\1/g, "$2")
    .replace(EMPHASIS, "$2")
    .replace(/`([^`<>]+?)\s*<[^<>`]*>`__?/g, "$1")
    .replace(/:\w+:(?=`)/g, "")
    .replace(/(`[^`\n]*`)|<[^<>]+>/g, "$1")
    .trim();

/**
 * The text between two marks, and the text without it. Linear time, even if marks are never closed: a regular
 * expression would search for the end again from each of them.
 */
function cutOut(
  text: string,
  open: string,
  close: string,
): { readonly inside: readonly string[]; readonly outside: string } {
  const inside: string[] = [];
  let outside = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return { inside, outside: outside + text.slice(from) };
    inside.push(text.slice(start + open.length, end));
    outside += text.slice(from, start);
    from = end + close.length;
  }
}
