import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import { oneLine } from "../entries/check-text.ts";

const MAX_TEXT = 2000;

/** Stored text as data: cut, without secrets and invisible signs, in a fence longer than any inside it. */
export function fenced(
  name: string,
  text: string,
  { uri, most = MAX_TEXT }: { uri: string; most?: number | undefined },
): string {
  const clean = redactSecrets(stripInvisible(text).text).text;
  const shown = clean.length > most ? clean.slice(0, most).replace(/\p{Surrogate}$/u, "") : clean;
  let longest = 2;
  for (const [ticks] of shown.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  const cut = shown === clean ? "" : `\n(truncated: read ${uri})`;
  return `### ${oneLine(name)}\n${fence}\n${shown.trimEnd()}\n${fence}${cut}`;
}

/** A titled list within its cap, with a line that says how many more there are and where. Empty where there is nothing. */
export function section<T>(
  { title, uri, most }: { title: string; uri: string; most: number },
  entries: readonly T[],
  print: (entry: T) => string,
): string {
  if (entries.length === 0) return "";
  const more = entries.length > most ? `\n\n(and ${entries.length - most} more: see ${uri})` : "";
  return `## ${title}\n\n${entries
    .slice(0, most)
    .map((entry) => print(entry))
    .join("\n\n")}${more}`;
}
