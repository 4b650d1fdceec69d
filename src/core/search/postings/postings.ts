import { ByteReader, ByteWriter } from "./bytes.ts";
import { filterOf } from "./term-filter.ts";

/** A chunk's ordinal in its segment, shifted left by eight, and its mark: where in the chunk the term stands and how often. */
export type Posting = number;
export interface TermList {
  readonly term: string;
  /** Ascending. */
  readonly postings: ArrayLike<Posting>;
}
export interface EncodedPostings {
  readonly postings: Uint8Array;
  /** Where each bucket ends within `postings`. */
  readonly bucketEnds: Uint32Array;
  /** Which terms there may be: see `mayHold`. */
  readonly filter: Uint8Array;
}

const TERMS_PER_BUCKET = 48;
const decoder = new TextDecoder();

/**
 * The inverted lists of a segment in hashed buckets of a few kilobytes, so that a look-up is one row of the database
 * and a batch of thousands of chunks is written as some hundred rows.
 */
export function encodePostings(lists: readonly TermList[]): EncodedPostings {
  const bucketCount = Math.max(1, Math.ceil(lists.length / TERMS_PER_BUCKET));
  const buckets: TermList[][] = Array.from({ length: bucketCount }, () => []);
  const hashes = Uint32Array.from(lists, ({ term }) => hashOf(term));
  for (const [at, list] of lists.entries()) {
    if (list.postings.length > 0) buckets[(hashes[at] ?? 0) % bucketCount]?.push(list);
  }
  const writer = new ByteWriter();
  const scratch = new ByteWriter();
  const bucketEnds = new Uint32Array(bucketCount);
  for (const [bucket, content] of buckets.entries()) {
    for (const list of content) writeList(writer, scratch, list);
    bucketEnds[bucket] = writer.length;
  }
  return { postings: writer.take(), bucketEnds, filter: filterOf(hashes) };
}

/** FNV-1a over code units: cheap, and spread well enough. A term is in the bucket of its hash, modulo their number. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The postings of one term in a bucket, or none. The inner loop of every search, so it reads the bytes itself. */
export function findInBucket(bucket: Uint8Array, name: Uint8Array): Uint32Array {
  let at = 0;
  const number = () => {
    let byte = bucket[at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bucket[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    // Never negative: in a damaged bucket the loop below would go back and never end.
    return value >>> 0;
  };
  while (at < bucket.length) {
    const length = number();
    const isWanted = length === name.length && isSame(bucket, at, name);
    at += length;
    const count = number();
    const size = number();
    if (isWanted) return readPostings(bucket, at, count);
    at += size;
  }
  return NOTHING;
}
const NOTHING = new Uint32Array(0);

export function readBucket(bucket: Uint8Array): TermList[] {
  const lists: TermList[] = [];
  const reader = new ByteReader(bucket);
  while (!reader.isAtEnd) {
    const term = decoder.decode(reader.bytes(reader.number()));
    const count = reader.number();
    const size = reader.number();
    lists.push({ term, postings: readPostings(bucket, reader.at, count) });
    reader.at += size;
  }
  return lists;
}

/** Only the terms of a bucket, those whose first byte is wanted; their lists are passed over. */
export function termsInBucket(
  bucket: Uint8Array,
  isWanted: (firstByte: number) => boolean = () => true,
): string[] {
  const terms: string[] = [];
  const reader = new ByteReader(bucket);
  while (!reader.isAtEnd) {
    const bytes = reader.bytes(reader.number());
    if (isWanted(bytes[0] ?? 0)) terms.push(decoder.decode(bytes));
    reader.number();
    const size = reader.number();
    reader.at += size;
  }
  return terms;
}

function writeList(writer: ByteWriter, scratch: ByteWriter, { term, postings }: TermList): void {
  writer.text(term);
  writer.number(postings.length);
  scratch.clear();
  let previous = 0;
  for (let at = 0; at < postings.length; at++) {
    const posting = postings[at] ?? 0;
    scratch.number((posting >>> 8) - previous);
    scratch.byte(posting & 255);
    previous = posting >>> 8;
  }
  writer.number(scratch.length);
  writer.bytes(scratch.written());
}

/** A posting takes two bytes or more, so a damaged count cannot ask for more memory than that. */
function readPostings(bytes: Uint8Array, start: number, stored: number): Uint32Array {
  const count = Math.min(stored, Math.max(0, bytes.length - start) >> 1);
  const postings = new Uint32Array(count);
  let at = start;
  let ordinal = 0;
  for (let place = 0; place < count; place++) {
    let byte = bytes[at++] ?? 0;
    let delta = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      delta |= (byte & 127) << shift;
    }
    ordinal += delta;
    postings[place] = (ordinal << 8) | (bytes[at++] ?? 0);
  }
  return postings;
}

function isSame(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let place = 0; place < name.length; place++) if (bytes[at + place] !== name[place]) return false;
  return true;
}
