/** Memory is allocated in blocks. A list takes slices of them, each twice as long as the one before, up to LONGEST. */
const BLOCK_BITS = 20;
const BLOCK = 1 << BLOCK_BITS;
const SHORTEST = 16;
const LONGEST = 1 << 14;
/** The last bytes of a slice hold the address of the next one. */
const LINK = 4;

interface PostingLists {
  /** Records how often a document has a word. Documents must come in ascending order. */
  add(word: number, document: number, count: number): void;
  each(word: number, found: (document: number, count: number) => void): void;
}

/**
 * For each word, the documents that have it, delta-encoded as variable-length integers. An array of numbers for each
 * word would take several times the memory of the texts.
 */
export function makePostingLists(): PostingLists {
  const blocks: Uint8Array[] = [];
  const free = new Map<number, number>();
  let lists = new Uint32Array(0);

  const at = (address: number) => blocks[address >>> BLOCK_BITS]?.[address & (BLOCK - 1)] ?? 0;
  const put = (address: number, byte: number) => {
    const block = blocks[address >>> BLOCK_BITS];
    if (block !== undefined) block[address & (BLOCK - 1)] = byte;
  };
  /** A block holds slices of one length only, so that an address gives the offset in its slice. */
  const slice = (length: number) => {
    let next = free.get(length) ?? 0;
    if (next % BLOCK === 0) {
      next = blocks.length * BLOCK;
      blocks.push(new Uint8Array(BLOCK));
    }
    free.set(length, next + length);
    return next;
  };
  const follow = (address: number) => {
    let next = 0;
    for (let place = LINK - 1; place >= 0; place -= 1) next = ((next << 8) | at(address + place)) >>> 0;
    return next;
  };
  const link = (address: number, next: number) => {
    for (let place = 0; place < LINK; place += 1) put(address + place, (next >>> (8 * place)) & 0xff);
  };
  /** Appends a byte. Each list has four numbers: first slice, next byte, length of its slice, last document. */
  const append = (list: number, byte: number) => {
    let end = lists[list + 1] ?? 0;
    const length = lists[list + 2] ?? 0;
    if ((end & (length - 1)) + LINK === length) {
      const longer = Math.min(length * 2, LONGEST);
      const next = slice(longer);
      link(end, next);
      lists[list + 2] = longer;
      end = next;
    }
    put(end, byte);
    lists[list + 1] = end + 1;
  };
  const appendNumber = (list: number, value: number) => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) append(list, (rest & 127) | 128);
    append(list, rest);
  };

  return {
    add(word, document, count) {
      const list = word * 4;
      if (list >= lists.length) {
        const longer = new Uint32Array(Math.max(list + 4, lists.length * 2));
        longer.set(lists);
        lists = longer;
      }
      if (lists[list + 2] === 0) {
        const first = slice(SHORTEST);
        lists[list] = first;
        lists[list + 1] = first;
        lists[list + 2] = SHORTEST;
      }
      appendNumber(list, document - (lists[list + 3] ?? 0));
      appendNumber(list, count);
      lists[list + 3] = document;
    },
    each(word, found) {
      const list = word * 4;
      const end = lists[list + 1] ?? 0;
      let address = lists[list] ?? 0;
      let length = SHORTEST;
      const next = () => {
        if ((address & (length - 1)) + LINK === length) {
          address = follow(address);
          length = Math.min(length * 2, LONGEST);
        }
        address += 1;
        return at(address - 1);
      };
      const nextNumber = () => {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
          const byte = next();
          value |= (byte & 127) << shift;
          if (byte < 128) return value;
        }
      };
      for (let document = 0; address !== end; ) {
        document += nextNumber();
        found(document, nextNumber());
      }
    },
  };
}
