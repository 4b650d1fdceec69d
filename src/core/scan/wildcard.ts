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

/** Tests whether a text matches the whole program. A filter tests every path of a project, so the states are made once. */
export function wildcardMatcher(program: WildcardProgram): (text: string) => boolean {
  const end = program.length;
  let [current, next] = [new Uint32Array(end + 1), new Uint32Array(end + 1)];
  // A state is left once in a step, for two others at most.
  const pending = new Uint32Array(2 * end + 2);
  /** The step at which each state was last reached. */
  const reached = new Float64Array(end + 1);
  let step = 0;
  /** Adds to `next` what is reached from a state without a character; gives how many states `next` has then. */
  const reach = (from: number, known: number): number => {
    let count = known;
    let waiting = 0;
    pending[waiting++] = from;
    while (waiting > 0) {
      const at = pending[--waiting] ?? 0;
      if (reached[at] === step) continue;
      reached[at] = step;
      const instruction = program[at];
      if (instruction?.op === "jump") pending[waiting++] = instruction.to;
      else if (instruction?.op === "split") {
        pending[waiting++] = instruction.second;
        pending[waiting++] = instruction.first;
      } else next[count++] = at;
    }
    return count;
  };
  return (text) => {
    step++;
    let count = reach(0, 0);
    for (let index = 0; index < text.length && count > 0; ) {
      [current, next] = [next, current];
      const code = text.codePointAt(index) ?? 0;
      index += code > 0xffff ? 2 : 1;
      step++;
      const before = count;
      count = 0;
      for (let place = 0; place < before; place++) {
        const at = current[place] ?? 0;
        if (takes(program[at], code)) count = reach(at + 1, count);
      }
    }
    return next.subarray(0, count).includes(end);
  };
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
