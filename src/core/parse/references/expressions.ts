const UNKNOWN = "?";
/** Longer paths and arguments are not followed. */
const MAX_PATH = 80;
const MAX_ARGUMENTS = 400;
const OPENING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", ">": "<" };
const VALUE =
  /(?:await\s+)?(?:new\s+)?&?(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|\?\.)[\p{L}_$][\p{L}\p{N}_$]*)*)(?:::)?(?:<[\w\s,.[\]|]{0,60}>|\[[\w\s,.*]{1,60}\])?\s*([({]?)/uy;

type ReadWord = (start: number, end: number) => string;

/** What stands before the dot in front of `start`, as a path. `wordAt` says what a single name stands for. */
export function readExpression(text: string, start: number, wordAt: ReadWord): string {
  const dot = dotBefore(text, start);
  if (dot < 0) return UNKNOWN;
  let end = skipSpaceBack(text, dot);
  const isCall = text[end - 1] === ")";
  if (isCall) {
    end = matchingStart(text, end);
    if (end < 0) return UNKNOWN;
  }
  if (text[end - 1] === ">" || text[end - 1] === "!") return UNKNOWN;
  const from = startOfWord(text, end);
  if (from === end) return UNKNOWN;
  const path = wordAt(from, end);
  if (path === UNKNOWN || path.length > MAX_PATH) return UNKNOWN;
  return isCall ? `${path}()` : path;
}

/** The path of a value such as `new Store(x)` or `pkg.New()`; `undefined` if it is anything else. */
export function valueExpression(
  text: string,
  start: number,
  end: number,
  rootOf: (word: string) => string,
): string | undefined {
  VALUE.lastIndex = start;
  const found = VALUE.exec(text);
  const path = found?.[1];
  if (!found || path === undefined || VALUE.lastIndex > end) return undefined;
  const opened = found[2];
  const stop = opened ? matchingEnd(text, VALUE.lastIndex - 1) : VALUE.lastIndex;
  // A long literal ends with the value; a long call may be the beginning of a chain.
  const isLongLiteral = stop < 0 && opened === "{" && text[end - 1] === "}";
  if (!isLongLiteral && (stop < 0 || text.slice(stop, end).trim() !== "")) return undefined;
  const [first = "", ...rest] = path.split(/\.|::|\?\./);
  const root = rootOf(first);
  if (root === UNKNOWN || path.length > MAX_PATH) return undefined;
  return [root, ...rest].join(".") + (opened === "(" ? "()" : "");
}

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWord(text.charCodeAt(start - 1))) start--;
  return start;
}

export function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && isWord(text.charCodeAt(end))) end++;
  return end;
}

const isWord = (code: number) =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 36 ||
  code > 127;

/** Where `.`, `?.`, `!.`, `::` or `->` begins before a name. */
function dotBefore(text: string, start: number): number {
  const at = skipSpaceBack(text, start) - 1;
  const before = text[at - 1];
  switch (text[at]) {
    case ".":
      return before === "?" || before === "!" ? at - 1 : at;
    case ":":
    case ">":
      return at - 1;
    default:
      return -1;
  }
}

function skipSpaceBack(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--;
  return at;
}

/** Where the bracket opens that closes before `end`; -1 if that is far away. */
function matchingStart(text: string, end: number): number {
  const closing = text[end - 1] ?? "";
  const opening = OPENING[closing];
  let depth = 0;
  for (let at = end - 1; at >= 0 && at > end - MAX_ARGUMENTS; at--) {
    if (text[at] === closing) depth++;
    else if (text[at] === opening && --depth === 0) return at;
  }
  return -1;
}

function matchingEnd(text: string, start: number): number {
  const opening = text[start] ?? "";
  const closing = opening === "(" ? ")" : "}";
  let depth = 0;
  for (let at = start; at < text.length && at < start + MAX_ARGUMENTS * 4; at++) {
    if (text[at] === opening) depth++;
    else if (text[at] === closing && --depth === 0) return at + 1;
  }
  return -1;
}
