import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../errors.ts";
import { sha256 } from "../../hash.ts";

/** The shipped files and their sha256, as scripts/build-model.ts makes them. */
export const MODEL_FILES = {
  "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
  "static.bin": "3ad14d86fbe5242273deedc58b2301f7fcfce0affa650b4d7bf938a77505c1f9",
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

/** The package's own folder, from the sources as from the bundle: the nearest one above. */
function modelsDirectory(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "models");
    if (existsSync(join(candidate, "vocab.txt")) || dirname(folder) === folder) return candidate;
  }
}
