import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DomainError } from "../../errors.ts";
import { modelsDirectory } from "./models-directory.ts";

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
    throw notUsable(name, "is missing", cause);
  });
  checkModelFile(name, [content]);
  return content;
}

/** Throws `unavailable` if these are not the bytes we shipped. */
export function checkModelFile(name: ModelFile, parts: readonly Uint8Array[]): void {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  if (hash.digest("hex") !== MODEL_FILES[name]) throw notUsable(name, "was altered");
}

/** Opens a shipped model file to read parts of it. Checks only its size: reading all of it would take longer than a search. */
export function openModelFile(name: ModelFile, bytes: number, directory = modelsDirectory()): number {
  let handle: number;
  try {
    handle = openSync(join(directory, name), "r");
  } catch (cause) {
    throw notUsable(name, "is missing", cause);
  }
  if (fstatSync(handle).size === bytes) return handle;
  closeSync(handle);
  throw notUsable(name, "was altered");
}

const notUsable = (name: ModelFile, problem: string, cause?: unknown) =>
  new DomainError("unavailable", `The model file models/${name} ${problem}. Install contextful again.`, {
    cause,
  });

/** The folder of the better model: the installed package, or its folder in a clone. */
export function minilmDirectory(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("contextful-minilm/package.json"));
  } catch {
    const folder = join(dirname(modelsDirectory()), "packages", "minilm");
    return existsSync(join(folder, "minilm.onnx")) ? folder : undefined;
  }
}
