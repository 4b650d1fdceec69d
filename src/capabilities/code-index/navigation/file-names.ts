import type { ParsedFile } from "../../../core/parse/parse.ts";
import {
  type ParsedImport,
  type ParsedReference,
  REFERENCE_KINDS,
} from "../../../core/parse/references/references.ts";
import { ByteReader, ByteWriter } from "../../../core/search/postings/bytes.ts";

/** A declaration, without what only a reader of its source needs. */
export interface NamedDeclaration {
  readonly name: string;
  readonly parent: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly exported: boolean;
}

/** The declarations, imports and references of one file in their stored form. Empty if the file has none of them. */
export function packNames({ symbols, references }: Pick<ParsedFile, "symbols" | "references">): Uint8Array {
  if (symbols.length === 0 && references === undefined) return new Uint8Array();
  const strings = new StringTable();
  body.clear();
  body.number(symbols.length);
  for (const { name, parent = "", kind, startLine, endLine, exported } of symbols) {
    for (const text of [name, parent, kind]) body.number(strings.id(text));
    body.number(startLine * 2 + (exported ? 1 : 0));
    body.number(endLine - startLine);
  }
  const imports = references?.imports ?? [];
  body.number(imports.length);
  for (const { local, from, name, isExport = false } of imports) {
    body.byte((name === undefined ? 0 : 1) + (isExport ? 2 : 0));
    for (const text of [local, from, ...(name === undefined ? [] : [name])]) body.number(strings.id(text));
  }
  writeReferences(references?.references ?? [], strings);
  whole.clear();
  whole.text(strings.joined());
  whole.bytes(body.written());
  return whole.take();
}

/** Kept for all files: a new writer begins with a buffer larger than most files need. */
const body = new ByteWriter();
const group = new ByteWriter();
const whole = new ByteWriter();

function writeReferences(references: readonly ParsedReference[], strings: StringTable): void {
  const groups = byName(references);
  body.number(groups.size);
  for (const [name, uses] of groups) {
    group.clear();
    let lastLine = 0;
    for (const { line, column, kind, on } of uses) {
      group.number(line - lastLine);
      group.number(column);
      group.number(REFERENCE_KINDS.indexOf(kind) + (on === undefined ? 0 : 8 * (strings.id(on) + 1)));
      lastLine = line;
    }
    body.number(strings.id(name));
    body.number(group.length);
    body.bytes(group.written());
  }
}

function byName<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const known = groups.get(one.name);
    if (known) known.push(one);
    else groups.set(one.name, [one]);
  }
  return groups;
}

class StringTable {
  readonly #ids = new Map<string, number>();

  id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#ids.size);
    return this.#ids.size - 1;
  }

  /** Names and paths have no line ends. */
  joined(): string {
    return [...this.#ids.keys()].map((text) => text.replaceAll("\n", " ")).join("\n");
  }
}

/** A declaration, and the one that it stands in. */
interface Enclosed {
  readonly declaration: NamedDeclaration;
  readonly outer: Enclosed | undefined;
}

/** Which declarations are around a line. A file may have many thousands of both, so no line looks at all of them. */
class EnclosingDeclarations {
  /** Lines from which on another declaration is the innermost one. */
  readonly #lines: readonly number[];
  readonly #innermost: readonly (Enclosed | undefined)[];

  constructor(declared: readonly NamedDeclaration[]) {
    const sorted = declared.toSorted((a, b) => a.startLine - b.startLine);
    const lines = new Set(declared.flatMap(({ startLine, endLine }) => [startLine, endLine + 1]));
    this.#lines = [...lines].sort((a, b) => a - b);
    let next = 0;
    let top: Enclosed | undefined;
    this.#innermost = this.#lines.map((line) => {
      while (top && top.declaration.endLine < line) top = top.outer;
      for (let one = sorted[next]; one?.startLine === line; one = sorted[++next])
        top = { declaration: one, outer: top };
      return top;
    });
  }

  /** Innermost first. */
  *around(line: number): Generator<NamedDeclaration> {
    let [from, to] = [0, this.#lines.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#lines[middle] ?? 0) <= line) from = middle + 1;
      else to = middle;
    }
    for (let one = this.#innermost[from - 1]; one; one = one.outer)
      if (line <= one.declaration.endLine) yield one.declaration;
  }
}

const decoder = new TextDecoder();
const NUMBERS_PER_DECLARATION = 5;

/**
 * The names of one file as they are stored. A question about one name reads only what is stored of it: a call tree asks
 * thousands of files, and unpacking them took most of its time.
 */
export class FileNames {
  readonly #bytes: Uint8Array;
  /** Every string of the file between line ends. */
  readonly #text: string;
  readonly #declaredAt: number;
  #sections: { readonly imports: readonly ParsedImport[]; readonly groupsAt: number } | undefined;
  #stringList: readonly string[] | undefined;
  #declared: readonly NamedDeclaration[] | undefined;
  #byName: ReadonlyMap<string, readonly NamedDeclaration[]> | undefined;
  #enclosing: EnclosingDeclarations | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const reader = new ByteReader(bytes);
    this.#text = bytes.length === 0 ? "" : `\n${decoder.decode(reader.bytes(reader.number()))}\n`;
    this.#declaredAt = reader.at;
  }

  get declared(): readonly NamedDeclaration[] {
    this.#declared ??= this.#readDeclared(undefined);
    return this.#declared;
  }

  declaredAs(name: string): readonly NamedDeclaration[] {
    if (this.#declared) {
      this.#byName ??= byName(this.#declared);
      return this.#byName.get(name) ?? [];
    }
    const id = this.#idOf(name);
    return id === undefined ? [] : this.#readDeclared(id);
  }

  /** The declarations around a line, the innermost first. */
  around(line: number): Generator<NamedDeclaration> {
    this.#enclosing ??= new EnclosingDeclarations(this.declared);
    return this.#enclosing.around(line);
  }

  get imports(): readonly ParsedImport[] {
    return this.#afterDeclared().imports;
  }

  /** The uses of a name, in the order of the lines. */
  references(name: string): readonly ParsedReference[] {
    const wanted = this.#idOf(name);
    if (wanted === undefined) return [];
    for (const { id, reader, end } of this.#groups())
      if (id === wanted) return this.#readGroup(name, reader, end);
    return [];
  }

  *all(): Generator<ParsedReference> {
    for (const { id, reader, end } of this.#groups())
      yield* this.#readGroup(this.#strings[id] ?? "", reader, end);
  }

  get #strings(): readonly string[] {
    this.#stringList ??= this.#text.slice(1, -1).split("\n");
    return this.#stringList;
  }

  /** The place of a string in the list of strings. */
  #idOf(name: string): number | undefined {
    const at = this.#text.indexOf(`\n${name}\n`);
    if (at < 0) return undefined;
    let id = 0;
    for (let end = this.#text.indexOf("\n"); end < at; end = this.#text.indexOf("\n", end + 1)) id++;
    return id;
  }

  /** All declarations, or those of one name. */
  #readDeclared(only: number | undefined): readonly NamedDeclaration[] {
    const reader = new ByteReader(this.#bytes, this.#declaredAt);
    const found: NamedDeclaration[] = [];
    for (let left = this.#bytes.length === 0 ? 0 : reader.number(); left > 0; left--) {
      const [name, parent, kind] = [reader.number(), reader.number(), reader.number()];
      const start = reader.number();
      const length = reader.number();
      if (only !== undefined && name !== only) continue;
      found.push({
        name: this.#strings[name] ?? "",
        parent: this.#strings[parent] ?? "",
        kind: this.#strings[kind] ?? "",
        startLine: start >>> 1,
        endLine: (start >>> 1) + length,
        exported: start % 2 === 1,
      });
    }
    return found;
  }

  #afterDeclared() {
    if (this.#sections) return this.#sections;
    const reader = new ByteReader(this.#bytes, this.#declaredAt);
    const isEmpty = this.#bytes.length === 0;
    for (let left = isEmpty ? 0 : reader.number() * NUMBERS_PER_DECLARATION; left > 0; left--)
      reader.number();
    const text = () => this.#strings[reader.number()] ?? "";
    const imports = Array.from({ length: isEmpty ? 0 : reader.number() }, () => {
      const flags = reader.byte();
      const [local, from] = [text(), text()];
      return { local, from, ...(flags & 1 && { name: text() }), ...(flags & 2 && { isExport: true }) };
    });
    this.#sections = { imports, groupsAt: reader.at };
    return this.#sections;
  }

  /** The uses of each name, still packed. */
  *#groups(): Generator<{ readonly id: number; readonly reader: ByteReader; readonly end: number }> {
    if (this.#bytes.length === 0) return;
    const reader = new ByteReader(this.#bytes, this.#afterDeclared().groupsAt);
    for (let left = reader.number(); left > 0; left--) {
      const id = reader.number();
      const end = reader.number() + reader.at;
      yield { id, reader, end };
      reader.at = end;
    }
  }

  #readGroup(name: string, reader: ByteReader, end: number): readonly ParsedReference[] {
    const found: ParsedReference[] = [];
    let line = 0;
    while (reader.at < end) {
      line += reader.number();
      const column = reader.number();
      const packed = reader.number();
      const on = packed >>> 3;
      found.push({
        name,
        line,
        column,
        kind: REFERENCE_KINDS[packed & 7] ?? "read",
        ...(on > 0 && { on: this.#strings[on - 1] ?? "" }),
      });
    }
    return found;
  }
}
