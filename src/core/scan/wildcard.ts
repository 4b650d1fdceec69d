/**
 * A linear-time matcher for wildcard patterns: a small program whose states advance together, one character at a time.
 * It never backtracks, so no pattern is slow: the time is at most pattern length × text length.
 */
export type WildcardInstruction =
  | { readonly op: "character"; readonly code: number }
  /** Any character but `/`. */
  | { readonly op: "any" }
  | { readonly op: "everything" }
  | { readonly op: "class"; readonly has: (code: number) => boolean }
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number };

type WildcardProgram = readonly WildcardInstruction[];

const SLASH = 47;

/** True if the program matches the whole text. */
export function runWildcard(program: WildcardProgram, text: string): boolean {
  const end = program.length;
  const seen = new Int32Array(end + 1).fill(-1);
  let current: number[] = [];
  let step = 0;
  const add = (list: number[], from: number) => {
    const pending = [from];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen[at] === step) continue;
      seen[at] = step;
      const instruction = program[at];
      if (instruction?.op === "jump") pending.push(instruction.to);
      else if (instruction?.op === "split") pending.push(instruction.second, instruction.first);
      else list.push(at);
    }
  };
  add(current, 0);
  for (let index = 0; index < text.length && current.length > 0; ) {
    const code = text.codePointAt(index) ?? 0;
    index += code > 0xffff ? 2 : 1;
    step++;
    const next: number[] = [];
    for (const at of current) if (takes(program[at], code)) add(next, at + 1);
    current = next;
  }
  return current.includes(end);
}

function takes(instruction: WildcardInstruction | undefined, code: number): boolean {
  switch (instruction?.op) {
    case "character":
      return instruction.code === code;
    case "any":
      return code !== SLASH;
    case "everything":
      return true;
    case "class":
      return code !== SLASH && instruction.has(code);
    default:
      return false;
  }
}

/** Adds a loop over one instruction: `*`, or `**` with everything. */
export function pushStar(program: WildcardInstruction[], op: "any" | "everything"): void {
  const at = program.length;
  program.push({ op: "split", first: at + 1, second: at + 3 }, { op }, { op: "jump", to: at });
}

/** Adds a globstar directory prefix: nothing, or any directories with the slash after them. */
export function pushDirectories(program: WildcardInstruction[]): void {
  const at = program.length;
  const skip: WildcardInstruction = { op: "split", first: at + 1, second: at + 5 };
  program.push(skip);
  pushStar(program, "everything");
  program.push({ op: "character", code: SLASH });
}
