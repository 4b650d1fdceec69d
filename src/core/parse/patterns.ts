import { patternDoc } from "./comments.ts";
import type { ParsedSymbol } from "./parse.ts";
import type { DefinitionPattern, Extent, PatternTable } from "./rules.ts";
import { oneLine } from "./signature.ts";

/** Longer lines are data; nothing is defined behind their beginning. */
const MAX_LINE = 500;
/** Brackets in strings and behind comment marks do not count. */
const NOISE = /`[^`]*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\/\/.*|(?<=\s)(?:#|--|;;).*/g;
const TYPE_KINDS = new Set(["class", "struct", "interface", "enum", "type"]);

/** The symbols of a text by line patterns, in one pass. */
export function readPatterns(text: string, table: PatternTable): readonly ParsedSymbol[] {
  const reader = new PatternReader(table);
  for (const line of text.split(/\r?\n/)) reader.read(line);
  return reader.finish();
}

interface OpenDefinition {
  /** Its symbols: more than one for a list of names. */
  readonly at: number;
  readonly end: number;
  readonly pattern: DefinitionPattern;
  readonly extent: Extent;
  readonly name: string;
  readonly indent: number;
  readonly depth: number;
  readonly level: number;
  hasOpened: boolean;
}

class PatternReader {
  readonly #table: PatternTable;
  readonly #symbols: ParsedSymbol[] = [];
  #open: OpenDefinition[] = [];
  #comments: string[] = [];
  #commentLine = 0;
  #attributeLine = 0;
  #isInBlock = false;
  #isInText = false;
  #isQuoted = false;
  /** The line that closed a definition by itself. */
  #closedRow = 0;
  #row = 0;
  /** The last line with something on it that is no comment. */
  #lastCode = 0;
  /** The last line with anything on it, save comments that belong to what follows. */
  #lastText = 0;
  #depth = 0;

  constructor(table: PatternTable) {
    this.#table = table;
  }

  read(whole: string): void {
    this.#row += 1;
    const line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
    if (this.#isInText) {
      this.#isInText = this.#table.text?.end.test(line) === false;
      this.#lastCode = this.#row;
      this.#lastText = this.#row;
      return;
    }
    if (line.trim() === "" && !this.#isInBlock) {
      if (this.#comments.length > 0) this.#lastText = this.#row - 1;
      this.#forgetComments();
      return;
    }
    if (this.#isComment(line)) return;
    if (this.#table.between?.test(line)) {
      this.#attributeLine ||= this.#row;
      this.#closeByIndent(line);
      this.#lastCode = this.#row;
      this.#count(line);
      return;
    }
    const first = this.#attributeLine || this.#row;
    if (first === this.#row) this.#closeByIndent(line);
    this.#define(line);
    this.#count(line);
    this.#lastCode = this.#row;
    this.#lastText = this.#row;
    this.#closeByText(line);
    this.#forgetComments();
    this.#isInText = this.#table.text?.start.test(line) === true;
  }

  finish(): readonly ParsedSymbol[] {
    if (this.#comments.length > 0) this.#lastText = this.#row;
    for (let last = this.#open.at(-1); last; last = this.#open.at(-1))
      this.#close(last.extent === "next" ? this.#lastText : this.#lastCode);
    return this.#symbols;
  }

  #isComment(line: string): boolean {
    const { block, comment } = this.#table;
    const isStart = !this.#isInBlock && block?.start.test(line) === true;
    if (!this.#isInBlock && !isStart && comment?.test(line) !== true) return false;
    if (this.#comments.length === 0) this.#commentLine = this.#row;
    if (!block?.isCode) this.#comments.push(line.trim());
    if (block && (isStart || this.#isInBlock))
      this.#isInBlock = !block.end.test(isStart ? line.replace(block.start, "") : line);
    return true;
  }

  #define(line: string): void {
    for (const pattern of this.#table.definitions) {
      const groups = pattern.match.exec(line)?.groups;
      const name = groups?.["name"];
      if (name === undefined || !this.#isAllowed(pattern, line)) continue;
      const level = this.#table.level?.(line) ?? 0;
      const extent = pattern.extent ?? this.#table.extent;
      if (extent === "next") this.#closeToLevel(level);
      this.#closeWithoutBody(indentOf(line));
      const holder = this.#open.findLast((each) => each.pattern.isHolder);
      const parent = groups?.["parent"] ?? holder?.name;
      const at = this.#symbols.length;
      const isMember = holder !== undefined && TYPE_KINDS.has(holder.pattern.kind);
      for (const each of pattern.isList ? name.split(/\s+/) : [name])
        this.#add({ pattern, name: each, parent, line, isMember });
      const end = this.#symbols.length;
      const indent = indentOf(line);
      this.#open.push({
        at,
        end,
        pattern,
        extent,
        name,
        indent,
        depth: this.#depth,
        level,
        hasOpened: false,
      });
      return;
    }
  }

  #isAllowed({ within }: DefinitionPattern, line: string): boolean {
    const around = this.#open.at(-1);
    if (within === undefined) return true;
    if (this.#table.extent === "indent")
      return around === undefined ? indentOf(line) === 0 : within.includes(around.pattern.kind);
    return around === undefined || (within.includes(around.pattern.kind) && this.#depth === around.depth + 1);
  }

  #add(found: {
    readonly pattern: DefinitionPattern;
    readonly name: string;
    readonly parent: string | undefined;
    readonly line: string;
    readonly isMember: boolean;
  }): void {
    const { pattern, name, parent, line } = found;
    const startLine = this.#attributeLine || this.#row;
    const hasDoc = this.#comments.length > 0;
    if (found.parent !== undefined) this.#markHolder(found.parent);
    this.#symbols.push({
      name,
      kind: pattern.kind === "function" && found.isMember ? "method" : pattern.kind,
      signature: oneLine(line).replace(/(?:\s*[({=:;,])+$/, ""),
      doc: hasDoc ? patternDoc(this.#comments, this.#table.docMarks) : "",
      startLine,
      endLine: this.#row,
      docStartLine: hasDoc ? Math.min(this.#commentLine, startLine) : startLine,
      exported: pattern.exported?.(line) ?? true,
      ...(parent !== undefined && { parent }),
      cuts: [],
    });
  }

  #markHolder(name: string): void {
    const holder = this.#open.findLast((each) => each.name === name);
    const symbol = holder && this.#symbols[holder.at];
    if (holder && symbol) this.#symbols[holder.at] = { ...symbol, hasMembers: true };
  }

  #count(line: string): void {
    const { quote } = this.#table;
    if (quote && (line.match(quote)?.length ?? 0) % 2 === 1) this.#isQuoted = !this.#isQuoted;
    const bare = line.replace(NOISE, "");
    for (const character of bare) {
      if (character === "{" || character === "(" || character === "[") this.#depth += 1;
      else if (character === "}" || character === ")" || character === "]") this.#depth -= 1;
    }
    const last = this.#open.at(-1);
    if (last && bare.includes("{")) last.hasOpened = true;
  }

  /** Where the next definition starts beside one that opened no bracket, that one had no body. */
  #closeWithoutBody(indent: number): void {
    const last = this.#open.at(-1);
    if (last?.extent !== "brackets" || last.hasOpened || this.#depth > last.depth || indent > last.indent)
      return;
    this.#close(this.#lastCode);
  }

  #closeByIndent(line: string): void {
    const indent = indentOf(line);
    for (
      let last = this.#open.at(-1);
      last?.extent === "indent" && indent <= last.indent;
      last = this.#open.at(-1)
    ) {
      const isOwn = indent === last.indent && this.#table.closes?.test(line) === true;
      this.#close(isOwn ? this.#row : this.#lastCode);
      if (!isOwn) continue;
      this.#closedRow = this.#row;
      return;
    }
  }

  #closeByText(line: string): void {
    for (let last = this.#open.at(-1); last; last = this.#open.at(-1)) {
      const { extent, depth, hasOpened } = last;
      const isEnd =
        extent === "line" ||
        (extent === "brackets" &&
          this.#depth <= depth &&
          (hasOpened || /[;,]\s*$/.test(line) || !this.#canOpen(line))) ||
        (extent instanceof RegExp &&
          this.#closedRow !== this.#row &&
          !this.#isQuoted &&
          this.#depth <= depth &&
          extent.test(line));
      if (!isEnd) return;
      this.#close(this.#row);
    }
  }

  /** A head may go on on the next line, as long as it ends in the middle of something. */
  #canOpen(line: string): boolean {
    return !/[\])}]\s*$/.test(line);
  }

  #closeToLevel(level: number): void {
    for (
      let last = this.#open.at(-1);
      last && (last.extent !== "next" || last.level >= level);
      last = this.#open.at(-1)
    )
      this.#close(this.#lastText);
  }

  #close(row: number): void {
    const last = this.#open.pop();
    for (let at = last?.at ?? 0; at < (last?.end ?? 0); at++) {
      const symbol = this.#symbols[at];
      if (symbol) this.#symbols[at] = { ...symbol, endLine: Math.max(symbol.startLine, row) };
    }
  }

  #forgetComments(): void {
    this.#comments = [];
    this.#attributeLine = 0;
  }
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0;
