import { DomainError, errnoOf } from "../../../core/errors.ts";

/** Text given on the command line, in a file, or on standard input. */
export async function contentOf(content: string | undefined, file: string | undefined): Promise<string> {
  if (content !== undefined && file === undefined) return content;
  if (content !== undefined || file === undefined) {
    throw new DomainError("invalid_input", "Give the text, or --file PATH (- for standard input), not both.");
  }
  const { readFileSync } = await import("node:fs");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      readFileSync(file === "-" ? 0 : file),
    );
  } catch (thrown) {
    const why = errnoOf(thrown) === "ENOENT" ? "No such file" : "Not a text file that can be read";
    throw new DomainError("invalid_input", `${why}: ${file}`, { cause: thrown });
  }
}
