import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DocumentsProject, documentsProject, FILES } from "./documents-project.ts";

/** Pages that mention everything in passing, and one that is about it. */
const PAGES = {
  "handbook.md":
    "# Handbook\n\nThe vents, the valves and the invoices are described on other pages. Rotate the crops.",
  "titled.md":
    "---\ntitle: Rotating credentials\n---\nRun the job once a quarter. The old one stays valid for an hour.",
  "described.md":
    "---\ndescription: What to do when a greenhouse is flooded\nkeywords: [pumps, sump]\nowner_team: hydraulics\n---\n# Drying out\n\nSwitch the mains off first. Then open the doors.",
  "headed.md":
    "# Operations\n\nGeneral remarks about the site.\n\n## Closing the roof in a storm\n\nUse the red lever beside the door.",
  "prose.md":
    "# Notes\n\nSomebody asked about the roof once, and about a storm, and about closing times of the canteen.",
  "wind.md": `# Wind\n\n${"Measured values are kept in the archive. ".repeat(20)}Above fourteen metres a second the flaps are shut. ${"Later values follow. ".repeat(20)}`,
};
const NONSENSE = [
  "flurbozangle wibbledok",
  "who won the world cup in 1998",
  "quantum chromodynamics lattice",
];

let project: DocumentsProject;
beforeAll(async () => {
  project = documentsProject(FILES);
  for (const [name, text] of Object.entries(PAGES)) project.write(`docs/${name}`, text);
  await project.sync();
});
afterAll(() => project[Symbol.asyncDispose]());

describe.each(["keyword", "hybrid"])("%s search", (mode) => {
  test.each([
    ["the title in the front matter", "rotating credentials", "titled.md"],
    ["the description in the front matter", "greenhouse is flooded", "described.md"],
    ["the keywords in the front matter", "sump", "described.md"],
    ["a heading", "closing the roof in a storm", "headed.md"],
  ])("%s finds the page first", async (_what, query, page) => {
    const [first] = await project.search(query, { mode });
    expect(first?.source_id).toBe(page);
    expect(first?.score).toBeGreaterThan(0.8);
  });
});

test("keys of the front matter are not words of the page", async () => {
  expect(await project.found("owner_team")).toEqual([]);
});

test("a snippet has no front matter and begins with a sentence", async () => {
  const snippetOf = async (query: string) => (await project.search(query))[0]?.snippet;
  expect([await snippetOf("mains"), await snippetOf("credentials quarter")]).toEqual([
    "# Drying out\n\nSwitch the >>>mains<<< off first. Then open the doors.",
    "Run the job once a >>>quarter<<<. The old one stays valid for an hour.",
  ]);
  expect(await snippetOf("flaps shut")).toMatch(
    /^Measured values .*the >>>flaps<<< are >>>shut<<<\. Later.*\.\.\.$/s,
  );
});

test("a document is stored with its front matter", async () => {
  const [hit] = await project.search("mains");
  expect((await project.get(hit?.id ?? "")).body).toBe(PAGES["described.md"]);
});

describe("scores say how good an answer is", () => {
  const best = async (query: string, mode: string) => (await project.search(query, { mode }))[0]?.score ?? 0;

  test.each(["keyword", "semantic", "hybrid"])("a %s search is not sure of nonsense", async (mode) => {
    const scores = await Promise.all(NONSENSE.map((query) => best(query, mode)));
    expect(scores.filter((score) => score > 0.5)).toEqual([]);
  });

  test("if only one of several words is found, the score is low", async () => {
    expect(await best("canteen opening hours kangaroo submarine", "keyword")).toBeLessThan(0.5);
    expect(await best("canteen", "keyword")).toBe(1);
  });

  test.each(["semantic", "hybrid"])(
    "a good answer of a %s search scores higher than a poor one",
    async (mode) => {
      expect(await best("what to do when the greenhouse is flooded", mode)).toBeGreaterThan(0.8);
    },
  );
});
