import { writeFileSync } from "node:fs";
import { libraryTypes } from "./library-types.ts";
import { reference } from "./reference.ts";

const FILES = [
  ["docs/reference.md", reference],
  ["src/library/tool-methods.ts", libraryTypes],
] as const;

for (const [file, make] of FILES) {
  writeFileSync(file, make());
  console.log(`${file} written`);
}
