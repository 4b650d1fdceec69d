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
export function packNames({ symbols, references }: ParsedFile): Uint8Array {
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
  const byName = new Map<string, ParsedReference[]>();
  for (const reference of references) {
    const known = byName.get(reference.name);
    if (known) known.push(reference);
    else byName.set(reference.name, [reference]);
  }
  body.number(byName.size);
  for (const [name, uses] of byName) {
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

const decoder = new TextDecoder();

/** The names of one file as they are stored. References are read for one name at a time. */
export class FileNames {
  readonly declared: readonly NamedDeclaration[];
  readonly imports: readonly ParsedImport[];
  readonly #bytes: Uint8Array;
  readonly #strings: readonly string[];
  readonly #groups: number;
  #groupAt: Map<string, number> | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const reader = new ByteReader(bytes);
    this.#strings = bytes.length === 0 ? [] : decoder.decode(reader.bytes(reader.number())).split("\n");
    const text = () => this.#strings[reader.number()] ?? "";
    this.declared = Array.from({ length: bytes.length === 0 ? 0 : reader.number() }, () => {
      const [name, parent, kind] = [text(), text(), text()];
      const start = reader.number();
      const startLine = start >>> 1;
      return {
        name,
        parent,
        kind,
        startLine,
        endLine: startLine + reader.number(),
        exported: start % 2 === 1,
      };
    });
    this.imports = Array.from({ length: bytes.length === 0 ? 0 : reader.number() }, () => {
      const flags = reader.byte();
      const [local, from] = [text(), text()];
      return { local, from, ...(flags & 1 && { name: text() }), ...(flags & 2 && { isExport: true }) };
    });
    this.#groups = reader.at;
  }

  /** The uses of a name, in the order of the lines. */
  references(name: string): readonly ParsedReference[] {
    const at = this.#places().get(name);
    if (at === undefined) return [];
    const reader = new ByteReader(this.#bytes, at);
    const end = reader.number() + reader.at;
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

  *all(): Generator<ParsedReference> {
    for (const name of this.#places().keys()) yield* this.references(name);
  }

  #places(): ReadonlyMap<string, number> {
    if (this.#groupAt) return this.#groupAt;
    const places = new Map<string, number>();
    const reader = new ByteReader(this.#bytes, this.#groups);
    const count = this.#bytes.length === 0 ? 0 : reader.number();
    for (let group = 0; group < count; group++) {
      const name = this.#strings[reader.number()] ?? "";
      places.set(name, reader.at);
      reader.bytes(reader.number());
    }
    this.#groupAt = places;
    return places;
  }
}
