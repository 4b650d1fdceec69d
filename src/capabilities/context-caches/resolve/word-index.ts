import { makePostingLists } from "./posting-lists.ts";
import { eachWord, type WordCount } from "./words.ts";

/** With more different words the index takes too much memory; texts are then split for every query. */
const MAX_WORDS = 2_000_000;

export interface WordIndex {
  /** For a set of terms: the counts of each document, by its position. */
  counter(terms: ReadonlySet<string>): (place: number) => WordCount;
}
interface WordIndexBuilder {
  /** Counts the words of the next document. */
  add(text: string): void;
  /** Undefined if there were too many different words. */
  finish(): WordIndex | undefined;
}

export function makeWordIndex(maxWords = MAX_WORDS): WordIndexBuilder {
  const vocabulary = makeVocabulary();
  const postings = makePostingLists();
  const totals: number[] = [];
  let counts = new Uint32Array(1 << 16);
  const isFull = () => vocabulary.size() > maxWords;

  const counter: WordIndex["counter"] = (terms) => {
    const matches = new Uint32Array(totals.length);
    for (const term of terms) {
      const word = vocabulary.find(term);
      if (word === undefined) continue;
      postings.each(word, (place, count) => {
        matches[place] = (matches[place] ?? 0) + count;
      });
    }
    return (place) => ({ total: totals[place] ?? 0, matches: matches[place] ?? 0 });
  };

  return {
    add(text) {
      if (isFull()) return;
      const lower = text.toLowerCase();
      const seen: number[] = [];
      let total = 0;
      eachWord(lower, (start, end) => {
        total += 1;
        const word = vocabulary.learn(lower, start, end);
        if (word >= counts.length) counts = enlarged(counts);
        const count = counts[word] ?? 0;
        if (count === 0) seen.push(word);
        counts[word] = count + 1;
      });
      for (const word of seen) {
        postings.add(word, totals.length, counts[word] ?? 0);
        counts[word] = 0;
      }
      totals.push(total);
    },
    finish: () => (isFull() ? undefined : { counter }),
  };
}

interface Vocabulary {
  size(): number;
  find(word: string): number | undefined;
  /** The number of the word text[start, end); a new word gets a new number. */
  learn(text: string, start: number, end: number): number;
}

/** Gives every different word a number. Open addressing: a lookup needs no substring. */
function makeVocabulary(): Vocabulary {
  const words: string[] = [];
  let slots = new Uint32Array(1 << 16);

  /** The slot of the word, or the free slot for it. */
  const slotOf = (text: string, start: number, end: number) => {
    const mask = slots.length - 1;
    for (let slot = hashOf(text, start, end) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? 0;
      if (number === 0) return slot;
      const word = words[number - 1] ?? "";
      if (word.length === end - start && text.startsWith(word, start)) return slot;
    }
  };
  const grow = () => {
    slots = new Uint32Array(slots.length * 2);
    words.forEach((word, place) => {
      slots[slotOf(word, 0, word.length)] = place + 1;
    });
  };

  return {
    size: () => words.length,
    find(word) {
      const number = slots[slotOf(word, 0, word.length)] ?? 0;
      return number === 0 ? undefined : number - 1;
    },
    learn(text, start, end) {
      const slot = slotOf(text, start, end);
      const number = slots[slot] ?? 0;
      if (number > 0) return number - 1;
      // A slice may keep the whole text alive; this copy does not.
      words.push(Buffer.from(text.slice(start, end), "utf16le").toString("utf16le"));
      slots[slot] = words.length;
      if (words.length * 2 >= slots.length) grow();
      return words.length - 1;
    },
  };
}

function enlarged(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}

/** FNV-1a over code units. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
