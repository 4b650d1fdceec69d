import { DomainError } from "../../../core/errors.ts";
import { ownerOf } from "../store/layout.ts";
import { isObject } from "../store/sidecar.ts";
import { checkText } from "./check-text.ts";
import { checkSkillFile } from "./skill-file.ts";

/** Checks a whole file that a caller provides for a path of the store: its text and its format. */
export async function checkFile(path: string, text: string): Promise<void> {
  checkText([{ name: "content", text }]);
  if (path.endsWith(".json")) checkJson(text);
  const owner = ownerOf(path);
  if (owner?.kind === "skill" && owner.path === path) await checkSkillFile(text, path.split("/")[1] ?? "");
}

function checkJson(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new DomainError("invalid_input", "The content must be a JSON object.");
  // Escapes could hide forbidden characters in keys and values.
  checkText(stringsIn(value).map((inner) => ({ name: "content", text: inner })));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]) : [];
}
