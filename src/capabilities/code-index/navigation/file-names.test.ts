import fc from "fast-check";
import { expect, test } from "vitest";
import { FileNames, packNames } from "./file-names.ts";

const symbol = (name: string, startLine: number, endLine: number) => ({
  ...{ name, startLine, endLine, kind: "function", exported: true },
  ...{ signature: "", doc: "", docStartLine: startLine, startByte: 0, endByte: 0, cuts: [] },
});

test("the declarations around a line are those that begin before it and end after it, the innermost first", () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(12));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), fc.integer({ min: 0, max: 50 }), (ranges, line) => {
      const symbols = ranges.map(([start, length], at) => symbol(`f${at}`, start, start + length));
      const names = new FileNames(packNames({ symbols }));
      const wanted = symbols
        .filter(({ startLine, endLine }) => startLine <= line && line <= endLine)
        .toSorted((a, b) => a.startLine - b.startLine)
        .toReversed();
      expect([...names.around(line)].map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
    }),
  );
});
