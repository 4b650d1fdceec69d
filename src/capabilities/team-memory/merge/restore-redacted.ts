import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";

const MARKER = /\[redacted: [a-z0-9 .-]+\]/;

/**
 * Answers show `[redacted: …]` in place of a secret. A resolution that repeats a whole text or a line with that mark gets
 * the original back, so that resolving a conflict never deletes a secret it did not show.
 * `unknown`: a line with the mark that no side has, or that stands for different secrets.
 */
export function restoreRedacted(
  content: string,
  { wholes, sides }: { readonly wholes: readonly string[]; readonly sides: readonly string[] },
): { readonly text: string } | { readonly unknown: string } {
  if (!MARKER.test(content)) return { text: content };
  const whole = wholes.find((text) => shownText(text) === content);
  if (whole !== undefined) return { text: whole };
  const originals = new Map<string, Set<string>>();
  for (const [shown, original] of sides.flatMap(redactedLines)) {
    originals.set(shown, (originals.get(shown) ?? new Set()).add(original));
  }
  return restoreLines(content.split("\n"), originals);
}

function restoreLines(lines: readonly string[], originals: ReadonlyMap<string, ReadonlySet<string>>) {
  const restored: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const found = MARKER.test(line) ? originals.get(line.trimEnd()) : new Set([line]);
    const [original] = found ?? [];
    if (original === undefined || found?.size !== 1) return { unknown: line.trim() };
    restored.push(original);
    // The further lines of a private key are shown as empty ones.
    const further = original.split("\n").length - 1;
    for (let left = further; left > 0 && lines[at + 1]?.trim() === ""; left -= 1) at += 1;
  }
  return { text: restored.join("\n") };
}

/** The text as an answer shows it. The number of lines stays the same. */
const shownText = (text: string): string => redactSecrets(stripInvisible(text).text).text;

/** Each shown line that has the mark, with the lines it stands for. A mark that the file itself has stands for itself. */
function redactedLines(side: string): readonly (readonly [shown: string, original: string])[] {
  const original = side.split("\n");
  const shown = shownText(side).split("\n");
  return shown.flatMap((line, at) => {
    if (!MARKER.test(line)) return [];
    let end = at + 1;
    while (end < shown.length && shown[end]?.trim() === "" && original[end]?.trim() !== "") end += 1;
    return [[line.trimEnd(), original.slice(at, end).join("\n")] as const];
  });
}
