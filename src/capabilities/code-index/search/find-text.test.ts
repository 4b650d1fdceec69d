import { expect, test } from "vitest";
import { openProject } from "../../../../tests/support/code-project.ts";
import { openEmbeddings } from "../../../core/search/index.ts";
import { openCodeStore } from "../store/code-store.ts";
import { currentIndexFile } from "../store/generations.ts";
import { findText } from "./find-text.ts";

const VIEW = `package view

import "example.com/lookup"

// Find finds a view.
func Find(name string) error {
	return errors.New("Failed to lookup view")
}

func Other() {}
`;

async function find(pattern: string, mode: "literal" | "regex", filters = {}) {
  await using project = openProject({
    "go.mod": "module m",
    "view.go": VIEW,
    "b/other.go": "package b\n\nfunc View() {}\n",
  });
  await project.index();
  const embeddings = openEmbeddings(await project.machine.config(), project.machine);
  using code = await openCodeStore(currentIndexFile(project.data) ?? "", embeddings, { readOnly: true });
  const { hits, total } = await findText(
    code,
    { pattern, mode, limit: 10, filters },
    new AbortController().signal,
  );
  return {
    total,
    hits: hits.map(({ hit, lines }) => [hit.file.path, hit.symbol.name, ...lines.map(({ line }) => line)]),
  };
}

test("a message is found as it is written, with the symbol that holds it and its line", async () => {
  expect(await find("Failed to lookup view", "literal")).toEqual({
    total: 1,
    hits: [["view.go", "Find", 7]],
  });
});

test("an expression is matched against each line, also those that belong to no symbol", async () => {
  expect((await find("^import ", "regex")).total).toEqual(1);
  expect(await find("func \\w+\\(\\) \\{\\}", "regex")).toEqual({
    total: 2,
    hits: [
      ["b/other.go", "View", 3],
      ["view.go", "Other", 10],
    ],
  });
});

test("a file pattern narrows the files, and what is nowhere gives nothing", async () => {
  expect((await find("func", "literal", { file_pattern: "b/**" })).hits).toEqual([["b/other.go", "View", 3]]);
  expect(await find("no such text", "literal")).toEqual({ total: 0, hits: [] });
});
