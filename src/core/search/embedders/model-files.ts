import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DomainError } from "../../errors.ts";
import { sha256 } from "../../hash.ts";

/** The shipped files and their sha256, as scripts/build-model.ts makes them. */
export const MODEL_FILES = {
  "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
  "static.bin": "ee9a7e0e280ce0c33d13d7f73191dcb3acb8c1bbffa1f43f571b05a643342d44",
  "minilm.onnx": "7f676f2175ee2004965c1b4cc0eb09ea357bea5c11f7897d22229d86aff7b185",
} as const;
type ModelFile = keyof typeof MODEL_FILES;

/** Reads a shipped model file; throws `unavailable` where it is missing or is not the one we shipped. */
export async function readModelFile(name: ModelFile, directory = modelsDirectory()): Promise<Buffer> {
  const content = await readFile(join(directory, name)).catch((cause: unknown) => {
    throw new DomainError(
      "unavailable",
      `The model file models/${name} is missing. Install contextful again.`,
      { cause },
    );
  });
  if (sha256(content) !== MODEL_FILES[name]) {
    throw new DomainError(
      "unavailable",
      `The model file models/${name} was altered. Install contextful again.`,
    );
  }
  return content;
}

/** The folder of the better model: the installed package, or its folder in a clone. */
export function minilmDirectory(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("contextful-minilm/package.json"));
  } catch {
    const folder = join(dirname(modelsDirectory()), "packages", "minilm");
    return existsSync(join(folder, "minilm.onnx")) ? folder : undefined;
  }
}

/** The package's own folder, from the sources as from the bundle: the nearest one above. */
export function modelsDirectory(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "models");
    if (existsSync(join(candidate, "vocab.txt")) || dirname(folder) === folder) return candidate;
  }
}
