import { expect, onTestFinished, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { Config } from "../../../core/config/config.ts";
import { languageOf } from "../../../core/parse/parse.ts";
import { startFakeProvider } from "../../../core/search/embedders/fake-provider.ts";
import { openEmbeddings } from "../../../core/search/index.ts";
import { prepareFiles } from "../prepare/prepare-files.ts";
import { embedProject } from "./embed.ts";

const FILES = {
  "a.go": `package p\n\nvar (\n\t// A counts.\n\tA = 1\n)\n\n${source("Alpha").slice("package p\n".length)}`,
  "long.go": `package p\n\n// Long has many lines.\nfunc Long() {\n${"\tstep()\n".repeat(150)}}\n`,
  "shape.ts":
    "/** Areas. */\nexport class Shape {\n  /** In metres. */\n  width = 1;\n  area() { return 2; }\n}\n",
  "README.md": `# About\n\n${"Words of it.\n".repeat(70)}`,
};

test("the better model reads the texts that the quick model read when the files were indexed", async () => {
  await using project = openProject(FILES);
  const provider = await startFakeProvider();
  const embedding = { provider: "openai", model: "letters", url: provider.url, max_retries: 0 };
  const embeddings = openEmbeddings(Config.parse({ embedding }), project.machine);
  onTestFinished(async () => {
    await embeddings.close();
    await provider.close();
  });
  await project.index();
  await embedProject(project.data, embeddings, { signal: new AbortController().signal });
  const read = provider.requests.flatMap(({ texts }) => texts).filter((text) => text !== "ready");
  expect(read.toSorted()).toEqual((await quickTexts(project.root)).toSorted());
});

async function quickTexts(root: string): Promise<string[]> {
  const texts: string[] = [];
  const identity = { id: "recorder", sha256: "0", dims: 16 };
  const files = Object.keys(FILES).map((path, id) => ({
    ...{ id: id + 1, path, size: 1, ctimeMs: 1, importPath: "" },
    language: languageOf(path),
  }));
  await prepareFiles({ root, files }, { identity, write: (text) => texts.push(text) });
  return texts;
}
