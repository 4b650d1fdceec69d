import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "./temp-dir.ts";

/** One line of different words: the worst text for an index. */
function wordsOf(megabytes: number): string {
  const words = Array.from(
    { length: (megabytes * 1_000_000) / 9 },
    (_, n) => `b${String(n).padStart(7, "0")}`,
  );
  return `var a=${words.join("+")}\n`;
}

/** A project with one document of this size. */
export function largeTextProject(megabytes: number) {
  const dir = tempDir();
  const files = join(dir.path, "project", "files");
  mkdirSync(files, { recursive: true });
  const settings = '[connectors.filesystem.d]\nroot = "files"\ninclude = ["**/*"]\n';
  writeFileSync(join(dir.path, "project", "contextful.toml"), settings);
  writeFileSync(join(files, "large.txt"), wordsOf(megabytes));
  const env = { PATH: process.env["PATH"], HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") };
  const options = { cwd: join(dir.path, "project"), env };
  return { dir, options, file: join(files, "large.txt") };
}
