import { DomainError, errnoOf } from "../../../core/errors.ts";

/** Text from the command line, a file, or standard input, which is also the default. */
export async function contentOf(content: string | undefined, file: string | undefined): Promise<string> {
  if (content !== undefined && file !== undefined) {
    throw new DomainError("invalid_input", "Give the text, or --file PATH (- for standard input), not both.");
  }
  if (content !== undefined) return content;
  if (file !== undefined) return readText(file);
  const piped = process.stdin.isTTY ? "" : await readText("-");
  if (piped === "") {
    throw new DomainError("invalid_input", "Give the text, --file PATH, or the text on standard input.");
  }
  return piped;
}

async function readText(file: string): Promise<string> {
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
