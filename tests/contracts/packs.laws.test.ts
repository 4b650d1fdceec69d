import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadTokenizer } from "../../src/core/tokens/tokenizer.ts";
import { type Files, packsProject } from "./packs-project.ts";

const count = await loadTokenizer();
const WORDS = [
  "relay",
  "retry",
  "busy",
  "mail",
  "queue",
  "```",
  "日本",
  "é",
  "🙂",
  "# x",
  "\u202e",
  "parse",
  "name",
];
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((list) => list.join(" "));
const name = fc.stringMatching(/^[a-z]{3,8}$/);
const files: fc.Arbitrary<Files> = fc
  .record({
    code: fc.dictionary(name, fc.array(words, { minLength: 1, maxLength: 12 }), { minKeys: 1, maxKeys: 6 }),
    documents: fc.dictionary(name, fc.array(words, { minLength: 1, maxLength: 12 }), { maxKeys: 4 }),
    knowledge: fc.dictionary(name, words, { maxKeys: 4 }),
  })
  .map(({ code, documents, knowledge }) => ({
    "go.mod": "module example.org/random\n",
    "contextful.toml": '[connectors.filesystem.docs]\nroot = "docs"\n',
    ...rename(
      code,
      (key) => `${key}/${key}.go`,
      (lines, key) => goFile(key, lines),
    ),
    ...rename(
      documents,
      (key) => `docs/${key}.md`,
      (lines, key) => `# ${key}\n\n${lines.join("\n\n## ")}\n`,
    ),
    ...rename(
      knowledge,
      (key) => `.context-teleport/knowledge/${key}.md`,
      (text) => `${text}\n`,
    ),
  }));

function rename<T>(
  from: Readonly<Record<string, T>>,
  path: (key: string) => string,
  text: (value: T, key: string) => string,
) {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [path(key), text(value, key)]));
}

function goFile(key: string, lines: readonly string[]): string {
  const functions = lines.map((line, index) => {
    const comment = line.replaceAll("\u202e", "");
    return `// Do${index} does ${comment}.\nfunc Do${index}() string {\n\treturn ${JSON.stringify(comment)}\n}\n`;
  });
  return `package ${key}\n\n${functions.join("\n")}`;
}

test("in any project a pack keeps its budget, cites real lines and is the same in a copy", async () => {
  await fc.assert(
    fc.asyncProperty(files, words, fc.integer({ min: 500, max: 4000 }), async (tree, task, budget) => {
      await using project = packsProject(tree);
      await using copy = packsProject(Object.fromEntries(Object.entries(tree).reverse()));
      await project.fill();
      await copy.fill();
      const pack = await project.pack({ task, budget });
      expect(await copy.pack({ task, budget })).toEqual(pack);
      expect(count(pack.markdown)).toBeLessThanOrEqual(budget);
      for (const { path, start, end, text } of pack.items) {
        const lines = readFileSync(join(project.root, path), "utf8").split("\n");
        const cited = lines
          .slice(start - 1, end)
          .join("\n")
          .replaceAll("\u202e", "");
        expect({ path, text }).toEqual({ path, text: cited });
      }
    }),
    { numRuns: 12 },
  );
});
