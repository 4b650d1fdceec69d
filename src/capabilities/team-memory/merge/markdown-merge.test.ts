import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeMarkdown, splitSections } from "./markdown-merge.ts";

const merge = (base: string, ours: string, theirs: string) => mergeMarkdown({ base, ours, theirs }, "ours");

describe("sections", () => {
  test("a heading inside a code fence does not start a section", () => {
    const text = "intro\n```\n## not one\n```\n## One\ntext\n";
    expect(splitSections(text).map(({ heading }) => heading)).toEqual(["", "One"]);
  });

  test("joined sections are the whole text", () => {
    const lines = fc.array(fc.constantFrom("## A", "## B", "text", "", "```", "~~~", "### deep", "##no"));
    fc.assert(
      fc.property(lines, fc.boolean(), (parts, ends) => {
        const text = parts.join("\n") + (ends ? "\n" : "");
        expect(
          splitSections(text)
            .map((section) => section.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});

describe("merging Markdown", () => {
  const base = "# T\n\n## A\na\n\n## B\nb\n";

  test.each([
    [
      "edits in different sections are both kept",
      base,
      "# T\n\n## A\na1\n\n## B\nb\n",
      "# T\n\n## A\na\n\n## B\nb2\n",
      "# T\n\n## A\na1\n\n## B\nb2\n",
    ],
    [
      "a new section follows its neighbour",
      base,
      base,
      "# T\n\n## A\na\n\n## N\nn\n\n## B\nb\n",
      "# T\n\n## A\na\n\n## N\nn\n\n## B\nb\n",
    ],
    [
      "without a final newline the next heading starts its own line",
      "## A\na",
      "## A\na1",
      "## A\na\n## C\nc",
      "## A\na1\n## C\nc",
    ],
    [
      "two sections of one name stay two",
      "## N\n1\n## N\n2\n",
      "## N\n1x\n## N\n2\n",
      "## N\n1\n## N\n2y\n",
      "## N\n1x\n## N\n2y\n",
    ],
    [
      "of two sections of one name, the one that a side deleted goes and the other stays",
      "## N\nalpha\n## N\nbravo\n",
      "## N\nalpha\n## N\nbravo\nmore\n",
      "## N\nbravo\n",
      "## N\nbravo\nmore\n",
    ],
    [
      "sections that both sides add under a name in use are both kept",
      "## N\n1\n## N\n2\n",
      "## N\n1\n## N\n2\n## N\nmine\n",
      "## N\nhers\n## N\n1\n## N\n2\n",
      "## N\nhers\n## N\n1\n## N\n2\n## N\nmine\n",
    ],
    [
      "one line with other line ends does not change the ends of the file",
      "## A\na\n## B\nb\n",
      "## A\na\npasted\r\n## B\nb\n",
      "## A\na\n## B\nb1\n",
      "## A\na\npasted\n## B\nb1\n",
    ],
    [
      "line ends stay as they were",
      "## A\r\na\r\n## B\r\nb\r\n",
      "## A\r\na1\r\n## B\r\nb\r\n",
      "## A\r\na\r\n## B\r\nb1\r\n",
      "## A\r\na1\r\n## B\r\nb1\r\n",
    ],
    [
      "a moved section keeps the other side's edit",
      base,
      "# T\n\n## B\nb\n## A\na\n\n",
      "# T\n\n## A\na\n\n## B\nb2\n",
      "# T\n\n## B\nb2\n## A\na\n\n",
    ],
    [
      "an untouched section that one side deleted goes",
      base,
      "# T\n\n## B\nb\n",
      "# T\n\n## A\na\n\n## B\nb2\n",
      "# T\n\n## B\nb2\n",
    ],
  ])("%s", (_name, before, ours, theirs, expected) => {
    expect(merge(before, ours, theirs)).toEqual({ text: expected, conflicts: [] });
  });

  test("a conflict in one section leaves the other sections merged", () => {
    const theirs = "# T\n\n## A\nhers\n\n## B\nb2\n";
    expect(merge(base, "# T\n\n## A\nmine\n\n## B\nb\n", theirs)).toEqual({
      text: "# T\n\n## A\nmine\n\n## B\nb2\n",
      conflicts: ["A: both sides changed it differently"],
    });
  });

  test("a section that neither side touched stays beside a conflict in another of its name", () => {
    expect(merge("## N\nalpha\n## N\nbravo\n", "## N\nalpha\nmore\n## N\nbravo\n", "## N\nbravo\n")).toEqual({
      text: "## N\nalpha\nmore\n## N\nbravo\n",
      conflicts: ["both sides changed the same lines"],
    });
  });

  test("a section deleted here and changed there is a conflict, not a loss", () => {
    expect(merge(base, "# T\n\n## B\nb\n", "# T\n\n## A\nchanged\n\n## B\nb\n").conflicts).toEqual([
      "A: deleted by ours, changed by theirs",
    ]);
  });
});

describe("laws of the merge", () => {
  const word: fc.Arbitrary<string> = fc.constantFrom("alpha", "beta", "gamma", "delta");
  const body = fc.array(word, { minLength: 1, maxLength: 4 });
  const headings = ["One", "Two", "Three", "Four", "Five"];
  const documents = fc.array(body, { minLength: 5, maxLength: 5 });
  const print = (bodies: readonly (readonly string[])[]) =>
    bodies.map((lines, index) => `## ${headings[index]}\n${lines.join("\n")}\n`).join("");

  test("edits of different sections commute and conflict with nothing", () => {
    fc.assert(
      fc.property(documents, body, body, (bodies, left, right) => {
        const base = print(bodies);
        const ours = print(bodies.with(0, left));
        const theirs = print(bodies.with(3, right));
        const merged = merge(base, ours, theirs);
        expect(merged).toEqual({ text: print(bodies.with(0, left).with(3, right)), conflicts: [] });
        expect(merge(base, theirs, ours)).toEqual(merged);
      }),
    );
  });

  test("merging again with either side changes nothing", () => {
    fc.assert(
      fc.property(documents, documents, documents, (a, b, c) => {
        const [base, ours, theirs] = [print(a), print(b), print(c)];
        const { text, conflicts } = merge(base, ours, theirs);
        if (conflicts.length > 0) return;
        expect(merge(theirs, text, theirs).text).toBe(text);
        expect(merge(ours, text, ours).text).toBe(text);
      }),
    );
  });

  test("of sections of one name no line that both sides kept is lost, conflict or not", () => {
    type Fate = "kept" | "deleted" | "edited";
    const fates = fc.array(fc.constantFrom<Fate>("kept", "deleted", "edited"), {
      minLength: 4,
      maxLength: 4,
    });
    const side = (all: readonly Fate[], tag: string) =>
      all
        .map((fate, index) => `## Notes\nline ${index}\n${fate === "edited" ? `${tag} ${index}\n` : ""}`)
        .filter((_, index) => all[index] !== "deleted")
        .join("");
    fc.assert(
      fc.property(fates, fates, (mine, hers) => {
        const { text } = merge(side(["kept", "kept", "kept", "kept"], ""), side(mine, "o"), side(hers, "t"));
        const keptByBoth = [...mine.keys()].filter(
          (index) => mine[index] !== "deleted" && hers[index] !== "deleted",
        );
        expect(keptByBoth.filter((index) => !text.includes(`line ${index}\n`))).toEqual([]);
      }),
    );
  });

  test("no added line is lost without a reported conflict", () => {
    const edited = fc.array(fc.tuple(fc.nat(4), fc.constantFrom("mine", "hers", "both"), fc.nat(3)), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(documents, edited, edited, (bodies, mine, hers) => {
        const apply = (edits: typeof mine, tag: string) =>
          print(
            edits.reduce(
              (all, [section, what, at]) =>
                all.with(section, (all[section] ?? []).toSpliced(at, 0, `${tag} ${what} ${at}`)),
              bodies,
            ),
          );
        const [ours, theirs] = [apply(mine, "o"), apply(hers, "t")];
        const { text, conflicts } = merge(print(bodies), ours, theirs);
        if (conflicts.length > 0) return;
        const kept = new Set(text.split("\n"));
        expect([...ours.split("\n"), ...theirs.split("\n")].filter((line) => !kept.has(line))).toEqual([]);
      }),
    );
  });
});

describe("texts designed to be slow", () => {
  const blank = "\n".repeat(20_000);
  const heads = "## Notes\n".repeat(20_000);

  test("between lines that occur once in all three texts, changes of both sides merge, however many lines are equal", () => {
    expect(merge(`a\n${blank}z\n`, `a1\na\n${blank}z\n`, `a\n${blank}z\nz1\n`)).toEqual({
      text: `a1\na\n${blank}z\nz1\n`,
      conflicts: [],
    });
  });

  test("texts that take too long to compare are a conflict, and are not mixed", () => {
    expect(merge(blank, `${blank}ours\n`, `theirs\n${blank}`)).toEqual({
      text: `${blank}ours\n`,
      conflicts: ["the text before the first heading: both sides changed it differently"],
    });
    expect(merge(heads, `${heads}ours\n`, `theirs\n${heads}`)).toEqual({
      text: `${heads}ours\n`,
      conflicts: ["both sides changed the same lines"],
    });
  });

  test("many different lines are merged one by one", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
    const [ours, theirs] = [lines.with(1, "ours\n"), lines.with(19_000, "theirs\n")].map((all) =>
      all.join(""),
    );
    expect(merge(lines.join(""), ours ?? "", theirs ?? "")).toEqual({
      text: lines.with(1, "ours\n").with(19_000, "theirs\n").join(""),
      conflicts: [],
    });
  });
});
