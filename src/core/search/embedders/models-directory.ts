import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package's own folder, from the sources as from the bundle: the nearest one above. */
export function modelsDirectory(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "models");
    if (existsSync(join(candidate, "vocab.txt")) || dirname(folder) === folder) return candidate;
  }
}
