import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { archiveOf } from "./download.ts";
import { isMined, isRead, minePackage } from "./mine-package.ts";
import type { TrainingPackage } from "./packages.ts";
import { type ArchivedFile, readArchive } from "./read-archive.ts";
import { hashOf, normalised } from "./text.ts";

const MAX_FILE = 600_000;

/** Hashes of every question and every code of what must not be trained on, whoever else has a copy of it. */
export class HeldOutContent {
  readonly hashes = new Set<number>();

  /** Every folder below `directory` is a checkout. */
  async addCheckouts(directory: string): Promise<void> {
    for (const name of readdirSync(directory)) {
      const paths = readdirSync(join(directory, name), { recursive: true, encoding: "utf8" })
        .map((path) => join(directory, name, path))
        .filter((path) => isMined(path) && isSmallFile(path));
      for (const path of paths) await this.#add([{ path, text: readFileSync(path, "utf8") }]);
    }
  }

  /** Packages of excluded names, as far as they were downloaded. */
  async addPackages(packages: readonly TrainingPackage[], archives: string): Promise<void> {
    for (const entry of packages) {
      const archive = archiveOf(archives, entry);
      if (existsSync(archive)) await this.#add(readArchive(archive, isRead));
    }
  }

  async #add(files: readonly ArchivedFile[]): Promise<void> {
    for (const { query, code } of await minePackage(files, Number.POSITIVE_INFINITY)) {
      this.hashes.add(hashOf(normalised(query)));
      this.hashes.add(hashOf(normalised(code)));
    }
  }
}

function isSmallFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= MAX_FILE;
}
