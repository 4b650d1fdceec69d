import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { WordPieces } from "../src/core/search/embedders/word-pieces.ts";
import { isHeldOut, minedPackages } from "./mine.ts";
import { PAIR_KINDS, type TrainingPair } from "./mine-package.ts";
import { hashOf, normalised, pieceReader } from "./text.ts";

/** A sentence that many packages use asks for nothing in particular. */
const SAME_QUESTION = 2;
const MOST_PIECES = { query: 64, head: 40, rest: 60, body: 200 } as const;

export interface Encoded {
  readonly train: number;
  readonly dev: number;
  readonly languages: readonly string[];
}

/** Turns pairs into numbers for the trainer: train.bin, dev.bin, and packages.txt, the notice that ships with the weights. */
export function encode(work: string, vocabulary: string, heldOut: ReadonlySet<number>): Encoded {
  const read = pieceReader(new WordPieces(readFileSync(vocabulary, "utf8")));
  const isNew = duplicates(heldOut);
  const languages: string[] = [];
  const sets = { train: openSet(join(work, "train.bin")), dev: openSet(join(work, "dev.bin")) };
  const notice: string[] = [];
  let packageNumber = 0;
  for (const mined of minedPackages(work)) {
    const set = isHeldOut(mined.package) ? "dev" : "train";
    const pairs = mined.pairs.filter((pair) => isNew(pair));
    packageNumber++;
    for (const pair of pairs) {
      if (!languages.includes(pair.language)) languages.push(pair.language);
      sets[set].add(recordOf(pair, { language: languages.indexOf(pair.language), packageNumber, read }));
    }
    if (pairs.length > 0) notice.push(`${mined.package}\t${mined.licence}\t${pairs.length}\t${set}`);
  }
  writeFileSync(join(work, "packages.txt"), `${notice.sort().join("\n")}\n`);
  return { train: sets.train.close(), dev: sets.dev.close(), languages };
}

/** Keeps each code once for each kind of question, a question a few times, and nothing that the held-out repositories hold. */
function duplicates(heldOut: ReadonlySet<number>): (pair: TrainingPair) => boolean {
  const questions = new Map<number, number>();
  const codes = new Set<string>();
  return ({ kind, query, code }) => {
    const question = hashOf(normalised(query));
    const content = hashOf(normalised(code));
    const times = questions.get(question) ?? 0;
    const answer = `${kind} ${content}`;
    if (heldOut.has(question) || heldOut.has(content)) return false;
    if (times >= SAME_QUESTION || codes.has(answer)) return false;
    questions.set(question, times + 1);
    codes.add(answer);
    return true;
  };
}

interface RecordContext {
  readonly language: number;
  readonly packageNumber: number;
  read(text: string, most: number): number[];
}

function recordOf(
  pair: TrainingPair,
  { language, packageNumber, read }: RecordContext,
): Uint16Array | undefined {
  const query = read(pair.query, MOST_PIECES.query);
  const head = read(pair.signature, MOST_PIECES.head);
  const rest = read(pair.rest, MOST_PIECES.rest);
  const body = read(pair.code, MOST_PIECES.body);
  if (query.length < 1 || body.length < 3) return undefined;
  const counts = [query.length, head.length, rest.length, body.length];
  return Uint16Array.from([
    language,
    PAIR_KINDS.indexOf(pair.kind),
    packageNumber & 0xffff,
    ...counts,
    ...query,
    ...head,
    ...rest,
    ...body,
  ]);
}

/** A count, then the records one after the other. */
function openSet(file: string) {
  const descriptor = openSync(file, "w");
  let count = 0;
  writeSync(descriptor, Buffer.alloc(4));
  return {
    add(record: Uint16Array | undefined): void {
      if (!record) return;
      writeSync(descriptor, new Uint8Array(record.buffer));
      count++;
    },
    close(): number {
      const header = Buffer.alloc(4);
      header.writeInt32LE(count);
      writeSync(descriptor, header, 0, 4, 0);
      closeSync(descriptor);
      return count;
    },
  };
}
