import { readFileSync } from "node:fs";
import { z } from "zod";
import { DomainError, errnoOf } from "../../../core/errors.ts";

export const FromFile = z.string().optional().describe("Read the text from this file; - for standard input");

/** Text from the command line, a file, or standard input, which is also the default. */
export function contentOf(content: string | undefined, file: string | undefined): string {
  if (content !== undefined && file !== undefined) {
    throw new DomainError("invalid_input", "Give the text, or --file PATH (- for standard input), not both.");
  }
  if (content !== undefined) return content;
  if (file !== undefined) return readText(file);
  const piped = process.stdin.isTTY ? "" : readText("-");
  if (piped === "") {
    throw new DomainError("invalid_input", "Give the text, --file PATH, or the text on standard input.");
  }
  return piped;
}

function readText(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      readFileSync(file === "-" ? 0 : file),
    );
  } catch (thrown) {
    const why = errnoOf(thrown) === "ENOENT" ? "No such file" : "Not a text file that can be read";
    throw new DomainError("invalid_input", `${why}: ${file}`, { cause: thrown });
  }
}
