import { Parser } from "htmlparser2";
import { instantOf } from "../timestamps.ts";
import type { Extracted, Extraction } from "./format.ts";
import { charsetOf, decode } from "./text.ts";

/** Elements without readable text. */
const SILENT = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "select",
  "button",
  "form",
]);
const SILENT_BUT_FORMS = new Set([...SILENT].filter((name) => name !== "form"));
/** Elements around the content of a page. */
const FRAME = new Set(["nav", "header", "footer", "aside"]);
const BLOCKS = new Set(
  "p div section article main ul ol dl dt dd table thead tbody blockquote figure figcaption details summary address hr".split(
    " ",
  ),
);
/** No real page is nested deeper; more is an attack. */
const DEEPEST = 2_000;

/** The readable text of a page as Markdown-like lines: headings, lists, tables and code keep their shape. */
export function readHtml(bytes: Uint8Array, mediaType = ""): Extraction {
  const text = decode(bytes, charsetOf(mediaType) ?? charsetOf(declaration(bytes)));
  if (text === undefined) return { unreadable: "not text in a known encoding" };
  const page = readPage(text, SILENT);
  // Some frameworks put a whole page into a form.
  return page.body === "" ? readPage(text, SILENT_BUT_FORMS) : page;
}

function declaration(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString("latin1");
  return /<meta[^>]+charset=[^>]*/i.exec(head)?.[0] ?? "";
}

function readPage(text: string, silent: ReadonlySet<string>): Extracted {
  const page = new PageReader(silent);
  const parser = new Parser(page, { decodeEntities: true, lowerCaseTags: true });
  parser.write(text);
  parser.end();
  return page.result();
}

/** Collects text while parsing. Text in <main> or <article> is kept separately and preferred. */
class PageReader {
  readonly #silentNames: ReadonlySet<string>;
  #all = "";
  #main = "";
  #title = "";
  /** The first h1, for pages without a title. */
  #heading = "";
  #author = "";
  #updatedAt: number | undefined;
  #stack: string[] = [];
  #silent = 0;
  #frame = 0;
  #content = 0;
  #pre = 0;
  #head = 0;
  #isInHeading = false;

  constructor(silent: ReadonlySet<string>) {
    this.#silentNames = silent;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.#stack.length >= DEEPEST) throw new Error("nested deeper than any page is");
    this.#stack.push(name);
    if (name === "title" || name === "head") this.#head += 1;
    if (name === "meta") this.#meta(attributes);
    if (this.#silentNames.has(name)) this.#silent += 1;
    if (FRAME.has(name) && this.#content === 0) this.#frame += 1;
    if (name === "main" || name === "article") this.#content += 1;
    if (name === "h1") this.#isInHeading = this.#heading === "";
    if (name === "pre") {
      this.#pre += 1;
      this.#add("\n\n```\n");
    } else if (/^h[1-6]$/.test(name)) this.#add(`\n\n${"#".repeat(Number(name[1]))} `);
    else if (name === "li") this.#add("\n- ");
    else if (name === "br" || name === "tr") this.#add("\n");
    else if (name === "td" || name === "th") this.#add(" | ");
    else if (BLOCKS.has(name)) this.#add("\n\n");
  }

  onclosetag(name: string): void {
    if (this.#stack.at(-1) !== name) return;
    this.#stack.pop();
    if (name === "title" || name === "head") this.#head -= 1;
    if (this.#silentNames.has(name)) this.#silent -= 1;
    if (name === "h1") this.#isInHeading = false;
    if (name === "pre") {
      this.#pre -= 1;
      this.#add("\n```\n\n");
    } else if (BLOCKS.has(name) || /^h[1-6]$/.test(name)) this.#add("\n\n");
    if (name === "main" || name === "article") this.#content -= 1;
    if (FRAME.has(name) && this.#content === 0 && this.#frame > 0) this.#frame -= 1;
  }

  ontext(text: string): void {
    if (this.#stack.at(-1) === "title" && this.#silent === 0) this.#title += text;
    else this.#add(this.#pre > 0 ? text : text.replace(/\s+/g, " "));
    if (this.#isInHeading) this.#heading += text;
  }

  result(): Extracted {
    const main = tidy(this.#main);
    const title = oneLine(this.#title) || oneLine(this.#heading);
    const author = this.#author.trim();
    return {
      body: main === "" ? tidy(this.#all) : main,
      ...(title && { title }),
      ...(author && { author }),
      ...(this.#updatedAt !== undefined && { updatedAt: this.#updatedAt }),
    };
  }

  #add(text: string): void {
    if (this.#silent > 0 || this.#head > 0) return;
    if (this.#frame === 0) this.#all += text;
    if (this.#content > 0) this.#main += text;
  }

  #meta({ name = "", property = "", content = "" }: Record<string, string>): void {
    if (name.toLowerCase() === "author") this.#author = content;
    if (property.toLowerCase() === "article:modified_time") this.#updatedAt = instantOf(content);
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Removes trailing spaces, repeated empty lines and the first bar of table rows; code keeps its indentation. */
export const tidy = (text: string): string =>
  text
    .replace(/[^\S\n]+$/gm, "")
    .replace(/^ (?=\S)/gm, "")
    .replace(/^\| /gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
