import type { Store } from "../../store/store.ts";
import { asUint16, asUint32 } from "../postings/bytes.ts";
import { PackedStrings } from "../postings/packed-strings.ts";
import { findInBucket, hashOf, readBucket, type TermList, termsInBucket } from "../postings/postings.ts";
import { mayHold } from "../postings/term-filter.ts";
import { unpackTexts } from "../prepare.ts";
import { isNameMark, nameOfLiteralTerm, nameOfMemberTerm } from "../text/names.ts";
import { type Column, unpackColumn } from "./columns.ts";
import { blobIn, column, numberIn } from "./rows.ts";
import { bucketRow, type Tables } from "./tables.ts";

const encoder = new TextEncoder();
const MAX_LISTS = 2000;
const MAX_KEPT_POSTINGS = 500_000;
const NO_POSTINGS = new Uint32Array(0);
/** An index of an earlier version has no filter: all of its terms are looked for. */
const ANY_TERM = Uint8Array.of(255);

/** The names of symbols without their joints in lower case, and as they are written. */
interface SegmentNames {
  readonly plain: readonly string[];
  readonly written: readonly string[];
}
interface SegmentRow {
  readonly segment: number;
  readonly chunks: number;
  readonly live: number;
  readonly buckets: number;
  readonly dead: Uint8Array | undefined;
}

/** One segment for reading. Columns are read when first asked for and kept: a segment never changes, except for its dead. */
export class IndexSegment {
  readonly number: number;
  readonly chunks: number;
  readonly #store: Store;
  readonly #tables: Tables;
  readonly #buckets: number;
  readonly #lists = new Map<string, Uint32Array>();
  #keptPostings = 0;
  readonly #columns = new Map<string, Column | undefined>();
  #names: SegmentNames | undefined;
  #live: number;
  #dead: Uint8Array | undefined;
  #lengths: Uint16Array | undefined;
  #starts: Uint32Array | undefined;
  #terms: Uint8Array | undefined;
  #chunkIds: PackedStrings | undefined;
  #documentIds: PackedStrings | undefined;

  constructor(store: Store, tables: Tables, row: SegmentRow) {
    this.#store = store;
    this.#tables = tables;
    this.number = row.segment;
    this.chunks = row.chunks;
    this.#buckets = row.buckets;
    this.#live = row.live;
    this.#dead = row.dead;
  }

  get live(): number {
    return this.#live;
  }
  isLive(ordinal: number): boolean {
    return this.#dead?.[ordinal] !== 1;
  }
  bury({ live, dead }: Pick<SegmentRow, "live" | "dead">): void {
    this.#live = live;
    this.#dead = dead;
  }

  /** Words in each chunk. */
  lengths(): Uint16Array {
    this.#lengths ??= asUint16(this.part("lengths"));
    return this.#lengths;
  }
  chunkId(ordinal: number): string {
    this.#chunkIds ??= new PackedStrings(this.part("chunk_ids"));
    return this.#chunkIds.at(ordinal);
  }
  documentId(document: number): string {
    this.#documentIds ??= new PackedStrings(this.part("document_ids"));
    return this.#documentIds.at(document);
  }
  /** First chunk of each document, and one more: the end. */
  documentStarts(): Uint32Array {
    this.#starts ??= asUint32(this.part("document_starts"));
    return this.#starts;
  }
  documentOf(ordinal: number): number {
    const starts = this.documentStarts();
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= ordinal) low = middle;
      else high = middle;
    }
    // Documents without chunks share their start with the next: the last one that begins here has the chunk.
    return low;
  }
  column(attribute: string): Column | undefined {
    const known = this.#columns.get(attribute);
    if (known || this.#columns.has(attribute)) return known;
    const packed = this.#part(`attribute/${attribute}`);
    const read = packed && unpackColumn(packed);
    this.#columns.set(attribute, read);
    return read;
  }
  /** An attribute of a chunk; empty if it is no text. */
  text(attribute: string, ordinal: number): string {
    const column = this.column(attribute);
    const value = column?.values[column.codes[ordinal] ?? 0];
    return typeof value === "string" ? value : "";
  }

  /** Who asks several segments makes the hash once. */
  postings(term: string, hash = hashOf(term)): Uint32Array {
    this.#terms ??= this.#part("terms") ?? ANY_TERM;
    if (!mayHold(this.#terms, hash)) return NO_POSTINGS;
    const known = this.#lists.get(term);
    if (known) return known;
    const row = this.#bucketStatement().get(bucketRow(this.number, hash % this.#buckets));
    const list = findInBucket(blobIn(row, "content") ?? new Uint8Array(), encoder.encode(term));
    this.#keepList(term, list);
    return list;
  }
  hasTerm(ordinal: number, term: string): boolean {
    const list = this.postings(term);
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle] ?? 0) >>> 8 < ordinal) low = middle + 1;
      else high = middle;
    }
    return low < list.length && (list[low] ?? 0) >>> 8 === ordinal;
  }
  /** Words come again in later queries; a segment never changes, so its lists may be kept. */
  #keepList(term: string, list: Uint32Array): void {
    if (this.#lists.size >= MAX_LISTS || this.#keptPostings + list.length > MAX_KEPT_POSTINGS) {
      this.#lists.clear();
      this.#keptPostings = 0;
    }
    this.#lists.set(term, list);
    this.#keptPostings += list.length;
  }
  *everyTerm(): Generator<TermList> {
    for (let bucket = 0; bucket < this.#buckets; bucket++) {
      const content = blobIn(this.#bucketStatement().get(bucketRow(this.number, bucket)), "content");
      if (content) yield* readBucket(content);
    }
  }

  /** The names of the segment's symbols; read once, because a segment never changes. */
  names(): SegmentNames {
    this.#names ??= this.#readNames();
    return this.#names;
  }
  #readNames(): SegmentNames {
    const plain: string[] = [];
    const written: string[] = [];
    for (let bucket = 0; bucket < this.#buckets; bucket++) {
      const content = blobIn(this.#bucketStatement().get(bucketRow(this.number, bucket)), "content");
      if (!content) continue;
      for (const term of termsInBucket(content, isNameMark)) {
        const name = nameOfMemberTerm(term);
        if (name !== undefined) plain.push(name);
        else written.push(nameOfLiteralTerm(term) ?? "");
      }
    }
    return { plain, written };
  }

  /** What was embedded, if the index keeps it. */
  texts(): PackedStrings | undefined {
    const packed = this.#part("texts");
    return packed && unpackTexts(packed);
  }
  part(name: string): Uint8Array {
    return this.#part(name) ?? new Uint8Array(8);
  }
  #part(name: string): Uint8Array | undefined {
    const find = this.#store.prepare(
      `SELECT content FROM ${this.#tables.parts} WHERE segment = ? AND name = ?`,
    );
    return blobIn(find.get(this.number, name), "content");
  }
  attributeNames(): string[] {
    const find = this.#store.prepare(
      `SELECT substr(name, 11) AS name FROM ${this.#tables.parts} WHERE segment = ? AND name LIKE 'attribute/%'`,
    );
    return find.all(this.number).map((row) => String(column(row, "name")));
  }
  #bucketStatement() {
    return this.#store.prepare(`SELECT content FROM ${this.#tables.postings} WHERE bucket = ?`);
  }
}

export const segmentRow = (row: unknown): SegmentRow => ({
  segment: numberIn(row, "segment"),
  chunks: numberIn(row, "chunks"),
  live: numberIn(row, "live"),
  buckets: numberIn(row, "buckets"),
  dead: blobIn(row, "dead"),
});
