import { expect, test } from "vitest";
import { madeUp } from "../../../../tests/support/made-up.ts";
import { STORE, twoClones } from "../../../../tests/support/sync-pair.ts";
import { checkFile } from "./check-file.ts";

const token = `ghp_${madeUp(36)}`;

test.each([
  ["knowledge/k.md", `token ${token}`, "secret"],
  ["knowledge/k.md", "a\u202eb", "U+202E"],
  ["preferences/team.json", "not json", "JSON object"],
  ["preferences/team.json", "[]", "JSON object"],
  ["preferences/team.json", '{"values":{"a":["\\u0000"]}}', "U+0000"],
  ["skills/s/SKILL.md", "no head", "frontmatter"],
  ["skills/s/SKILL.md", "---\nname: other\ndescription: d\n---\nb", "must be 's'"],
])("%s cannot be %j", async (path, text, why) => {
  await expect(checkFile(path, text)).rejects.toThrow(why);
});

test.each([
  ["knowledge/k.md", "text\r\n"],
  ["preferences/team.json", '{"values":{}}'],
  ["skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\nb"],
  ["skills/s/notes.md", "beside it"],
])("%s can be %j", async (path, text) => {
  await expect(checkFile(path, text)).resolves.toBeUndefined();
});

test("a conflict is not settled by what no other write takes", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const file = `${STORE}/knowledge/k.md`;
  ana.write(file, "ana");
  await mine.push("");
  ben.write(file, "ben");
  await hers.pull("agent");
  await expect(hers.resolve(file, `token ${token}`)).rejects.toThrow("secret");
  expect(await hers.status()).toMatchObject({ report: { unresolved: 1 } });
});

test("a skill that one side deleted may stay deleted, but not become an empty file", async () => {
  using pair = twoClones();
  const { ana, ben, mine, hers } = pair;
  const skill = (name: string) => `${STORE}/skills/${name}/SKILL.md`;
  const text = (name: string, body: string) => `---\nname: ${name}\ndescription: d\n---\n\n${body}\n`;
  for (const name of ["both", "gone"]) ana.write(skill(name), text(name, "one"));
  await mine.push("");
  await hers.pull("ours");
  for (const name of ["both", "gone"]) ana.write(skill(name), text(name, "ana"));
  await mine.push("");
  ben.write(skill("both"), text("both", "ben"));
  ben.remove(`${STORE}/skills/gone`);
  await hers.pull("agent");
  await expect(hers.resolve(skill("both"), "")).rejects.toThrow("frontmatter");
  expect(await hers.resolve(skill("gone"), "")).toMatchObject({ status: "resolved" });
});
