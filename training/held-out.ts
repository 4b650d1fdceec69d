import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isMined, minePackage } from "./mine-package.ts";
import { hashOf, normalised } from "./text.ts";

const MAX_FILE = 600_000;

/** Hashes of every question and every code in checkouts that must not be trained on, whoever else has a copy of them. */
export async function heldOutHashes(directory: string): Promise<Set<number>> {
  const hashes = new Set<number>();
  for (const name of readdirSync(directory)) {
    const files = readdirSync(join(directory, name), { recursive: true, encoding: "utf8" })
      .map((path) => join(directory, name, path))
      .filter((path) => isMined(path))
      .filter((path) => {
        const found = statSync(path, { throwIfNoEntry: false });
        return found?.isFile() && found.size <= MAX_FILE;
      });
    for (const path of files) {
      for (const pair of await minePackage([{ path, text: readFileSync(path, "utf8") }])) {
        hashes.add(hashOf(normalised(pair.query)));
        hashes.add(hashOf(normalised(pair.code)));
      }
    }
  }
  return hashes;
}
