import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { statOf } from "../freshness/fingerprint.ts";
import { readBounded } from "../read/read-context.ts";
import { locate } from "../read/scope.ts";
import { IGNORE_FILE } from "../schema.ts";

/** Adds a directory to `.contextignore`, once, anchored and escaped so that it means that directory alone. */
export async function ignoreDirectory(
  root: string,
  dir: string,
): Promise<{ readonly pattern: string; readonly added: boolean }> {
  const place = locate(root, dir);
  const isDirectory = place.kind === "inside" && statOf(place.directory)?.isDirectory() === true;
  if (!isDirectory || place.path === "." || /[\r\n]/.test(place.path)) {
    throw new DomainError("invalid_input", `Not a directory inside the project: ${dir}`, {
      details: { param: "dir" },
    });
  }
  const pattern = `/${place.path.replace(/[\\*?[\]!# ]/g, "\\$&")}/`;
  const file = join(root, IGNORE_FILE);
  const text = readBounded(file);
  if (typeof text !== "string" && text.kind !== "missing") {
    throw new DomainError("conflict", `${IGNORE_FILE} ${text.reason}. Correct it and try again.`);
  }
  const before = typeof text === "string" ? text : "";
  if (before.split(/\r?\n/).includes(pattern)) return { pattern, added: false };
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  await writeFileAtomic(file, `${before}${gap}${pattern}\n`);
  return { pattern, added: true };
}
