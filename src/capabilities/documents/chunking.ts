export interface ChunkSize {
  /** A token is a quarter of a UTF-8 byte count, as everywhere in the contracts. */
  readonly maxTokens: number;
  readonly overlapTokens: number;
}
export interface TextChunk {
  readonly text: string;
  /** The headings above its first line, outermost first. */
  readonly trail: readonly string[];
}

/**
 * Cuts a text at headings and paragraphs into chunks within the limit. Every chunk is one stretch of the text, and without
 * overlap they follow one another without loss; blank text is one empty chunk.
 */
export function chunkText(text: string, size: ChunkSize): TextChunk[] {
  const limit = size.maxTokens * 4;
  const overlap = Math.min(size.overlapTokens * 4, Math.floor(limit / 2));
  const pieces = blocksOf(text).flatMap((block) => cutToFit(text, block, limit - overlap));
  const stretches = joinPieces(text, measure(text, pieces), { limit, overlap });
  if (stretches.length === 0) return [{ text: "", trail: [] }];
  const trailAt = trailReader(pieces);
  return stretches.map(({ start, end, from }) => ({
    text: text.slice(start, end).trim(),
    trail: trailAt(from),
  }));
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly heading?: { readonly level: number; readonly text: string } | undefined;
}
/** A piece with its place in bytes, so that joining many never counts the same text twice. */
interface MeasuredPiece extends Piece {
  /** Bytes of the text up to its end. */
  readonly upTo: number;
  /** Bytes of the text up to the end of the first piece from here on that is no heading. */
  readonly bodyUpTo: number | undefined;
}
interface Stretch {
  readonly start: number;
  end: number;
  /** Where its own text begins, after what overlaps. */
  readonly from: number;
  /** Bytes of the text before it, and up to its end. */
  readonly before: number;
  upTo: number;
}

/** Paragraphs, headings and whole fenced blocks. */
function blocksOf(text: string): Piece[] {
  const blocks: Piece[] = [];
  let open: { start: number; end: number } | undefined;
  let fence: string | undefined;
  const close = () => {
    if (open) blocks.push(open);
    open = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) : null;
    if (fence === undefined && line.trim() === "") close();
    else if (heading) {
      close();
      const [, marks = "", title = ""] = heading;
      const name = title.replace(/\s+#+\s*$/, "").trim();
      blocks.push({ start: at, end, heading: { level: marks.length, text: name } });
    } else open = { start: open?.start ?? at, end };
    if (mark !== undefined) fence = nextFence(fence, mark);
    at = end + 1;
  }
  close();
  return blocks;
}

const nextFence = (fence: string | undefined, mark: string) => {
  if (fence === undefined) return mark;
  return mark.startsWith(fence) ? undefined : fence;
};

const bytesOf = (text: string) => Buffer.byteLength(text, "utf8");

/** A block above the limit is cut at its last line break within it, else at its last space, else between two characters. */
function cutToFit(text: string, block: Piece, limit: number): Piece[] {
  const { end: last, heading } = block;
  const isTooLong = (from: number) => last - from > limit || bytesOf(text.slice(from, last)) > limit;
  if (!isTooLong(block.start)) return [block];
  const pieces: Piece[] = [];
  let { start } = block;
  while (isTooLong(start)) {
    const most = furthest(text, start, limit);
    const end = breakBefore(text, start, most);
    pieces.push({ start, end });
    start = end;
  }
  if (text.slice(start, last).trim() !== "") pieces.push({ start, end: last, heading });
  return pieces;
}

/** The furthest end from `start` within so many bytes that splits no character. */
function furthest(text: string, start: number, limit: number): number {
  let low = start + 1;
  let high = Math.min(text.length, start + limit);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(start, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const splitsPair = (text.codePointAt(low - 1) ?? 0) > 0xffff;
  if (!splitsPair) return low;
  return low - 1 > start ? low - 1 : low + 1;
}

function breakBefore(text: string, start: number, end: number): number {
  if (/\s/.test(text[end] ?? " ")) return end;
  const window = text.slice(start, end);
  for (const mark of ["\n", " "]) {
    const at = window.lastIndexOf(mark);
    if (at > 0) return start + at + 1;
  }
  return end;
}

function measure(text: string, pieces: readonly Piece[]): MeasuredPiece[] {
  const measured: MeasuredPiece[] = [];
  let upTo = bytesOf(text);
  let to = text.length;
  let bodyUpTo: number | undefined;
  // From the end, where the text that follows a heading is known.
  for (const { start, end, heading } of pieces.toReversed()) {
    upTo -= bytesOf(text.slice(end, to));
    to = end;
    if (heading === undefined) bodyUpTo = upTo;
    measured.push({ start, end, heading, upTo, bodyUpTo });
  }
  return measured.reverse();
}

function joinPieces(
  text: string,
  pieces: readonly MeasuredPiece[],
  { limit, overlap }: { readonly limit: number; readonly overlap: number },
): Stretch[] {
  const stretches: Stretch[] = [];
  let current: Stretch | undefined;
  for (const piece of pieces) {
    const { end, upTo } = piece;
    if (current && upTo - current.before <= limit && !opensNew(current, piece, limit)) {
      current.end = end;
      current.upTo = upTo;
      continue;
    }
    const start = overlapStart(text, { before: current, piece, limit, overlap });
    const before = upTo - bytesOf(text.slice(start, end));
    current = { start, end, from: piece.start, before, upTo };
    stretches.push(current);
  }
  return stretches;
}

/** A section starts a chunk of its own once the one before is half full, and a heading goes with what follows it. */
function opensNew({ before, upTo }: Stretch, { heading, bodyUpTo }: MeasuredPiece, limit: number): boolean {
  if (heading === undefined) return false;
  if ((upTo - before) * 2 >= limit) return true;
  return bodyUpTo !== undefined && bodyUpTo - before > limit;
}

/** As much of the end of the chunk before as may be repeated, from the start of a line or word. */
function overlapStart(
  text: string,
  {
    before,
    piece,
    limit,
    overlap,
  }: { before: Stretch | undefined; piece: Piece; limit: number; overlap: number },
): number {
  if (before === undefined || overlap === 0) return piece.start;
  const room = Math.min(overlap, limit - bytesOf(text.slice(piece.start, piece.end)));
  let start = Math.max(before.from, piece.start - room);
  while (start < piece.start && bytesOf(text.slice(start, piece.start)) > room) start += 1;
  if (start > before.from && !/\s/.test(text[start - 1] ?? "")) {
    const space = /\s/.exec(text.slice(start, piece.start));
    start = space ? start + space.index + 1 : piece.start;
  }
  return start;
}

/** Answers which headings stand above a place; asked in rising order. */
function trailReader(pieces: readonly Piece[]): (from: number) => string[] {
  const stack: { level: number; text: string }[] = [];
  let next = 0;
  return (from) => {
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[++next]) {
      // Headings at the very beginning of a chunk belong to its trail.
      if (piece.start > from && (piece.heading === undefined || pieces[next - 1]?.heading === undefined))
        break;
      if (piece.heading === undefined) continue;
      while ((stack.at(-1)?.level ?? 0) >= piece.heading.level) stack.pop();
      stack.push(piece.heading);
    }
    return stack.map(({ text }) => text);
  };
}
