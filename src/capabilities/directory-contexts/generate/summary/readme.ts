import type { SourceFile } from "../sources/sources.ts";
import { firstSentences, shortened } from "./sentences.ts";

/** Sections with these headings do not describe the project. */
const NOT_ABOUT_IT =
  /^(install|usage|using|licen[cs]e|getting started|quick ?start|contribut|develop|build|require|prerequisite|(table of )?contents|change ?log|release|example|test|support|credit|author|thanks)/i;

/** The first paragraph of a README that describes the whole, else its title. */
export function describeByReadme(sources: readonly SourceFile[]): string {
  const file = sources.find(({ name }) => /^readme(\.(md|mdx|rst|txt))?$/i.test(name));
  if (!file) return "";
  let title = "";
  let heading = "";
  for (const block of blocksOf(file.text)) {
    const named = /^#{1,6}[ \t]+(.+)$/.exec(block)?.[1];
    if (named !== undefined) {
      heading = shortened(withoutMarkup(named.replace(/(?<!\s)\s+#+$/, "")));
      title ||= heading;
      continue;
    }
    const prose = NOT_ABOUT_IT.test(heading) ? "" : firstSentences(proseOf(block));
    if (prose !== "") return prose;
  }
  return title === "" || NOT_ABOUT_IT.test(title) ? "" : /[.!?]$/.test(title) ? title : `${title}.`;
}

/** Paragraphs and headings as separate blocks; underlined headings become `#` headings. */
function blocksOf(text: string): string[] {
  const body = text.replaceAll("\r\n", "\n").replace(/^---\n[\s\S]*?\n---\n/, "");
  return cutOut(body, "<!--", "-->")
    .outside.replace(/^(```|~~~)[\s\S]*?^\1/gm, "")
    .replace(/^(\S.*)\n[ \t]*([=~^*#"'.+_-])\2{2,}[ \t]*$/gm, "\n# $1\n")
    .replace(/^#{1,6}(?:[ \t].*)?$/gm, "\n$&\n")
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
}

/** The block as plain text; empty if it is a list, a table, a directive or a definition. */
function proseOf(block: string): string {
  if (/^([*+-]|\d+[.)])\s|^\||^\.\. |^:\w+:|^\[[^\]]*\]:/.test(block)) return "";
  const text = withoutMarkup(block.replace(/^[ \t]*>[ \t]?/gm, ""));
  return /^[\p{L}\p{N}*_`"'(]/u.test(text) ? text : "";
}

/** No character class includes the opening bracket; otherwise repeated brackets would take quadratic time. */
const withoutMarkup = (text: string) =>
  text
    .replace(/!\[[^[\]]*\](\([^()]*(\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, "")
    .replace(/\[([^[\]]*)\](\([^()]*(\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, "$1")
    .replace(/(\*\*|__)(.+?)\1/g, "$2")
    .replace(/<[^<>]+>/g, "")
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
