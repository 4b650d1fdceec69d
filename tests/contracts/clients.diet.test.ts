import { expect, test } from "vitest";
import { openApp } from "../../src/app.ts";
import { loadTokenizer } from "../../src/core/tokens/tokenizer.ts";
import { definitions } from "../../src/surfaces/mcp/tool-list.ts";
import { testMachine } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

test.each([
  { profile: "lean", most: 2_000 },
  { profile: "all", most: 8_700 },
])("the tools of the profile $profile cost a model under $most tokens", async ({ profile, most }) => {
  using dir = tempDir();
  const count = await loadTokenizer();
  const listed = definitions(openApp(testMachine(dir.path)), { profile, names: "safe" });
  expect(count(JSON.stringify(listed))).toBeLessThan(most);
});

test("every tool for agents has a calm description of at most two sentences", () => {
  using dir = tempDir();
  const listed = definitions(openApp(testMachine(dir.path)), { profile: "all", names: "safe" });
  const isWrong = ({ description }: { readonly description: string }) =>
    (description.match(/[.!?](\s|$)/g) ?? []).length > 3 ||
    /\b(MUST|NEVER|ALWAYS|IMPORTANT|CRITICAL|WARNING)\b|\p{Extended_Pictographic}/u.test(description);
  expect(listed.filter(isWrong).map(({ name }) => name)).toEqual([]);
});
