import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { planAgentsFile, sectionOf, withSection } from "./agents-file.ts";

const section = sectionOf([{ scope: ".", summary: "All." }]);
const START = "<!-- dotcontext:agents-section -->";
const END = "<!-- dotcontext:agents-section-end -->";

test.each([
  { before: undefined, after: `${section}\n` },
  { before: "", after: `${section}\n` },
  { before: "# Mine\n", after: `# Mine\n\n${section}\n` },
  { before: "# Mine", after: `# Mine\n\n${section}\n` },
  { before: "# Mine\r\n", after: `# Mine\n\n${section}\n`.replaceAll("\n", "\r\n") },
  { before: `a\n${START}\nold\n${END}\nb\n`, after: `a\n${section}\nb\n` },
  { before: `a\n${START}\nold, never ended\n`, after: undefined },
  { before: `a\n${START}\nold\nmine\n${START}\nold\n${END}\n`, after: undefined },
  { before: `a\n${END}\n${START}\nold\n${END}\nb`, after: `a\n${END}\n${section}\nb` },
  { before: `x\n${section}\ny\n`, after: `x\n${section}\ny\n` },
])("the section is put into $before", ({ before, after }) => {
  expect(withSection(before, section)).toBe(after);
});

test("a summary cannot break out of its cell or of the section", () => {
  expect(sectionOf([{ scope: "a|b", summary: `x | \`y\`\nz ${END} --> w` }])).toContain(
    "| `a\\|b` | x \\| \\`y\\` z &lt;!-- dotcontext:agents-section-end --&gt; --&gt; w |",
  );
});

test("long gaps in a summary or in the file are read in linear time", () => {
  const summary = `a${" ".repeat(300_000)}b`;
  expect(sectionOf([{ scope: ".", summary }])).toContain(`| ${summary} |`);
  const before = `a${"\n".repeat(300_000)}b`;
  expect(withSection(before, section)).toBe(`${before}\n\n${section}\n`);
});

test("a link inside the project is followed, one that leaves is left alone", () => {
  using dir = tempDir();
  const root = join(dir.path, "project");
  mkdirSync(root);
  writeFileSync(join(root, "CLAUDE.md"), "mine\n");
  symlinkSync("CLAUDE.md", join(root, "AGENTS.md"));
  expect(planAgentsFile(root, [])).toMatchObject({ file: join(root, "CLAUDE.md"), before: "mine\n" });
  const other = join(dir.path, "other");
  mkdirSync(other);
  symlinkSync(join(root, "CLAUDE.md"), join(other, "AGENTS.md"));
  expect(planAgentsFile(other, [])).toEqual({ refusal: expect.stringContaining("leaves the project") });
});

test.each([
  { what: "is not UTF-8", content: Buffer.from([0x63, 0x61, 0x66, 0xe9]), refusal: "not UTF-8" },
  { what: "has a section without end", content: `mine\n${START}\nmine too\n`, refusal: "has no end" },
])("a file that $what is left alone", ({ content, refusal }) => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "AGENTS.md"), content);
  expect(planAgentsFile(dir.path, [])).toEqual({ refusal: expect.stringContaining(refusal) });
});
