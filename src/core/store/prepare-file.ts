import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../errors.ts";
import { asDirectoryError } from "./store-errors.ts";

/** Creates the file for this user alone, whatever the umask. Never opens an existing file: closing it would drop SQLite's locks. */
export function prepareFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw asDirectoryError(thrown, file);
  }
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw asDirectoryError(thrown, file);
  }
}
