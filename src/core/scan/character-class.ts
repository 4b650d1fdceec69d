const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

interface CharacterClass {
  readonly has: (code: number) => boolean;
  /** Index of the first character after the class. */
  readonly end: number;
}

/** Parses the `[…]` that opens at `start`; `undefined` if it is not closed or names an unknown class. */
export function parseClass(pattern: string, start: number): CharacterClass | undefined {
  const isNegated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  const tests: ((code: number) => boolean)[] = [];
  for (let at = first; at < pattern.length; ) {
    if (pattern[at] === "]" && at > first) {
      return { has: (code) => tests.some((test) => test(code)) !== isNegated, end: at + 1 };
    }
    const named = /^\[:([a-z]*):\]/.exec(pattern.slice(at, at + 12));
    if (named) {
      const known = NAMED[named[1] ?? ""];
      if (known === undefined) return undefined;
      tests.push((code) => known.test(String.fromCodePoint(code)));
      at += named[0].length;
      continue;
    }
    const low = characterAt(pattern, at);
    at = low.end;
    if (pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      const high = characterAt(pattern, at + 1);
      at = high.end;
      tests.push((code) => code >= low.code && code <= high.code);
    }
    // Also for ranges: the first character of a reversed range is still a member.
    tests.push((code) => code === low.code);
  }
  return undefined;
}

function characterAt(pattern: string, at: number): { readonly code: number; readonly end: number } {
  const from = pattern[at] === "\\" && at + 1 < pattern.length ? at + 1 : at;
  const code = pattern.codePointAt(from) ?? 0;
  return { code, end: from + (code > 0xffff ? 2 : 1) };
}
