import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob, globFilter } from "./glob.ts";

test.each([
  ["**/*.md", ["a.md", "d/a.md", "d/e/.md"], ["a.mdx", "md"]],
  ["*.md", ["a.md", ".md"], ["d/a.md"]],
  ["docs/**", ["docs/a", "docs/a/b"], ["docs", "docsx/a"]],
  ["**/docs/**/x.?s", ["docs/x.ts", "a/docs/b/c/x.js"], ["docs/x.tsx", "adocs/x.ts"]],
  ["**", ["a", "a/b"], []],
  ["a/**/b", ["a/b", "a/x/y/b"], ["ab", "a/xb"]],
  ["{a,b/{c,d*}}.ts", ["a.ts", "b/c.ts", "b/dd.ts"], ["c.ts", "b/e.ts"]],
  ["{**/*.go,go.mod}", ["x/y.go", "y.go", "go.mod"], ["x/go.mod"]],
  ["{docs,doc}/**/*.{md,html}", ["docs/a.md", "doc/b/c.html"], ["docs/a.mdx", "a.md", "docs/html"]],
  ["**/README.{md,}", ["README.md", "a/README."], ["README.txt", "READMEmd"]],
  ["**/*-\\[x\\].min.js", ["a/b-[x].min.js"], ["b-x.min.js", "b-[x].js"]],
  ["[a-c][!0-9]*", ["ax", "cxyz"], ["dx", "a1", "a/"]],
  ["[[:digit:]]?", ["1a"], ["aa"]],
  ["a\\*b", ["a*b"], ["axb"]],
  ["{,x}a", ["a", "xa"], ["ya"]],
  ["(a+)+$", ["(a+)+$"], ["aaaa"]],
  ["é?", ["é😀"], ["é"]],
])("%s matches exactly its paths", (glob, matching, others) => {
  const test = compileGlob(glob);
  expect([matching.filter((path) => !test(path)), others.filter(test)]).toEqual([[], []]);
});

test.each([
  "a".repeat(100_000),
  "{".repeat(50),
  "{a",
  "[a",
  "{a,{b,c}",
  `${"{a,".repeat(9)}${"}".repeat(9)}`,
])("%.20s is refused", (glob) => {
  expect(() => compileGlob(glob)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

describe("hostile globs are matched in bounded time", () => {
  test.each([
    ["stars", `${"*a".repeat(400)}b`, "a".repeat(4000)],
    ["globstars", `${"**/".repeat(300)}b`, "a/".repeat(2000)],
    ["braces", `${"{a,aa}".repeat(160)}b`, "a".repeat(4000)],
    ["nested braces", `${"{a*,".repeat(8)}b${"}".repeat(8)}c`, "a".repeat(4000)],
  ])("%s", (_case, glob, path) => {
    expect(compileGlob(glob)(path)).toBe(false);
  });
});

test("a glob without braces agrees with the regular expression of the same meaning", () => {
  const piece = fc.constantFrom("a", "b", "*", "?", "/", "**/", "[ab]", "[!a]");
  const path = fc.array(fc.constantFrom("a", "b", "c", "/"), { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), path, (pieces, text) => {
      const glob = pieces.join("");
      fc.pre(!/\*{3}|\*\*(?!\/)|[^/]\*\*\//.test(glob));
      const source = glob
        .replaceAll(/(^|(?<=\/))\*\*\//g, "D")
        .replaceAll("*", "S")
        .replaceAll("?", "[^/]")
        .replaceAll("[!a]", "[^a/]")
        .replaceAll("S", "[^/]*")
        .replaceAll("D", "(?:.*/)?");
      expect(compileGlob(glob)(text)).toBe(new RegExp(`^${source}$`).test(text));
    }),
    { numRuns: 300 },
  );
});

test("a filter accepts what is included and not excluded", () => {
  const wanted = globFilter(["**/*.ts", "*.md"], ["**/*.test.ts"]);
  expect(["a.ts", "d/a.test.ts", "R.md", "d/R.md"].filter(wanted)).toEqual(["a.ts", "R.md"]);
});
