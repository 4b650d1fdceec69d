import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { MergedHit, MergedHits } from "../../src/capabilities/team/serve/merge-hits.ts";
import { searchProjects } from "../../src/capabilities/team/serve/search-projects.ts";
import { invoke } from "../../src/core/tool.ts";
import { testCall } from "../support/machine.ts";
import { type PublishedProject, publishedProject } from "../support/published-project.ts";

const WORDS = "retry busy database open close cache token parse header request queue worker".split(" ");
const NAMES = ["api", "billing", "cart", "docs", "edge", "forms"];
const LIMIT = 4;
const Bound = z.object({ most: z.number(), total: z.int(), hasName: z.boolean() });
const Found = z.object({ results: z.array(z.looseObject({})) });

const published = new Map<string, { readonly project: PublishedProject; readonly key: string }>();
beforeAll(async () => {
  for (const [at, name] of NAMES.entries()) {
    const project = await publishedProject(filesOf(at));
    published.set(name, { project, key: (await project.publish()).project });
  }
});
afterAll(async () => {
  for (const { project } of published.values()) await project[Symbol.asyncDispose]();
});

/** Each project has functions of its own pairs of words; all have `Open`. */
function filesOf(at: number): Record<string, string> {
  const functions = WORDS.slice(0, 3 + at).map((word, place) => {
    const other = WORDS[(place * (at + 2) + 5) % WORDS.length] ?? "";
    const name = `${word[0]?.toUpperCase()}${word.slice(1)}${at}`;
    return `// ${name} does ${word} and ${other}.\nfunc ${name}() { ${other}() }\n`;
  });
  return { "main.go": `package p${at}\n\n${functions.join("\n")}\nfunc Open() { busy() }\n` };
}

const use: Parameters<typeof searchProjects>[0]["use"] = (served, run, signal) => {
  const one = published.get(served.name);
  if (!one) throw new Error(`no project ${served.name}`);
  return one.project.node.use(one.key, run, signal);
};
const served = NAMES.map((name) => ({
  id: name,
  name,
  group_name: null,
  repository: null,
  revision: 1,
  url: "",
  kind: null,
  commit: "0".repeat(40),
  published_at: null,
}));

type Asked = Readonly<Record<string, unknown>> & { readonly query: string };

/** The merged answer, and which projects were searched for it. */
async function merged(asked: Asked) {
  const searched: string[] = [];
  const answer = await searchProjects(
    { use },
    {
      query: asked.query,
      limit: LIMIT,
      projects: served,
      upperBound: (index, call) =>
        invoke(index.upperBound, { ...asked, limit: LIMIT, path: index.root }, call),
      async search(index, least, call) {
        searched.push(index.generation.project);
        const tool = index.tools.find(({ name }) => name === "search_code");
        const filters = { ...Object(asked["filters"]), min_relevance: least };
        return tool && invoke(tool, { ...asked, filters, limit: LIMIT, path: index.root }, call);
      },
    },
    testCall(),
  );
  return { results: answer.results, searched };
}

/** Every project is searched, and all of their hits are merged. */
async function exhaustive(asked: Asked) {
  const hits = new MergedHits(asked.query, LIMIT);
  for (const one of served.toReversed()) {
    await use(
      one,
      async (index) => {
        const input = { ...asked, limit: LIMIT, path: index.root };
        const tool = index.tools.find(({ name }) => name === "search_code");
        const { results } = Found.parse(tool && (await invoke(tool, input, testCall())));
        const { commit } = index.generation;
        hits.add(
          results.map((hit) => MergedHit.parse({ ...hit, project: one.name, commit })),
          Bound.parse(await invoke(index.upperBound, input, testCall())),
        );
      },
      testCall().signal,
    );
  }
  return hits.best();
}

const QUERIES = [
  ...WORDS.map((word) => `what does ${word} when the queue is busy`),
  ...WORDS,
  ...["Open", "open", "Retry0", "Retry3", "Retry9", "Cache4", "nothing of this", "zebra"],
];

test.each(["hybrid", "keyword", "vector"])(
  "a %s search that leaves out projects finds what a search of all of them finds",
  async (search_mode) => {
    let searched = 0;
    for (const query of QUERIES) {
      const found = await merged({ query, search_mode });
      expect({ query, results: found.results }).toEqual({
        query,
        results: await exhaustive({ query, search_mode }),
      });
      searched += found.searched.length;
    }
    expect(searched).toBeLessThan(QUERIES.length * NAMES.length);
  },
);

test("a project whose best hit could not be among the best is not searched", async () => {
  expect((await merged({ query: "Open" })).searched).toHaveLength(LIMIT);
});

test("filters hold for projects that are left out too", async () => {
  const asked = { query: "what does retry", filters: { symbol_types: ["struct"] } };
  expect((await merged(asked)).results).toEqual([]);
});
