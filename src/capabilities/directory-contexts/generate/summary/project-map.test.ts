import { expect, test } from "vitest";
import { draftOf } from "../../../../../tests/support/draft-of.ts";
import { readMap } from "./project-map.ts";

const CODE = { "packages/net/a.ts": "export const a = 1;\n", "packages/net/b.ts": "export const b = 2;\n" };

test.each([
  { form: "a list", file: "README.md", text: "- `packages/net/` - talks to all peers\n" },
  {
    form: "a list of links",
    file: "CONTRIBUTING.md",
    text: "* **[packages/net](packages/net)**: Talks to all peers.\n",
  },
  {
    form: "a table",
    file: "ARCHITECTURE.md",
    text: "| where | what |\n|--|--|\n| `packages/net` | Talks to all peers |\n",
  },
  {
    form: "a drawn tree",
    file: "docs/development.md",
    text: "```\nproject\n├── packages\n│   ├── net/   # Talks to all peers\n│   └── web/   # Shows them\n└── docs\n```\n",
  },
  {
    form: "a document of the parent",
    file: "packages/README.md",
    text: "## Packages\n\n- net: talks to all peers\n",
  },
  {
    form: "a list under an underlined title",
    file: "README.md",
    text: "Source layout\n---\n\n* `packages/net`: talks to all peers\n",
  },
  {
    form: "a document named after its subject",
    file: "docs/project-layout.md",
    text: "- [`packages/net/`](../packages/net) - talks to all peers\n",
  },
  { form: "what people wrote for agents", file: "AGENTS.md", text: "- `packages/net`: talks to all peers\n" },
  { form: "the name of the package", file: "README.md", text: "| `@shop/net` | Talks to all peers |\n" },
])("$form of another document describes a directory", async ({ file, text }) => {
  const files = { ...CODE, "packages/net/package.json": '{"name":"@shop/net"}', [file]: text };
  expect((await draftOf(files, "packages/net")).summary).toBe("Talks to all peers.");
});

test("a package is found by its name, and its source directory is described by that line", async () => {
  const files = {
    "packages/net/package.json": '{"name":"@shop/net","description":"@shop/net"}',
    "packages/net/src/a.ts": "export const a = 1;\n",
    ".github/contributing.md": "## Project Structure\n\n- `net`: Talks to all peers.\n",
  };
  expect((await draftOf(files, "packages/net")).summary).toBe("Talks to all peers.");
  expect((await draftOf(files, "packages/net/src")).summary).toBe(
    "Source code of @shop/net: Talks to all peers (derived).",
  );
});

test("a directory's own README comes before other documents", async () => {
  const files = {
    ...CODE,
    "packages/net/README.md": "Connects peers.\n",
    "README.md": "- `packages/net`: talks to peers\n",
  };
  expect((await draftOf(files, "packages/net")).summary).toBe("Connects peers.");
});

test("the table of summaries in AGENTS.md describes no directory", async () => {
  const section =
    "<!-- dotcontext:agents-section -->\n| `packages/net` | Talks to all peers |\n<!-- dotcontext:agents-section-end -->\n";
  expect((await draftOf({ ...CODE, "AGENTS.md": section }, "packages/net")).summary).toBe(
    "2 TypeScript files (derived).",
  );
});

test("scripts, options and single words do not describe directories", () => {
  expect(readMap("## Scripts\n\n- build: builds the whole project\n- `src/a`: two words\n")).toEqual([]);
});

test("text below a title that tildes underline is not a drawn tree", () => {
  expect(readMap("Answers\n~~~~~~~\n\nshop is kept by volunteers, so answers take time.\n")).toEqual([]);
});

test("a hostile document is read in linear time", () => {
  expect(readMap(`${"- a".repeat(20_000)}\n${"│ ".repeat(20_000)}\n${"| ".repeat(20_000)}`)).toEqual([]);
});
