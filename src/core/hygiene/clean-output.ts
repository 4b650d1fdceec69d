import { firstInvisible, stripInvisible } from "./invisible.ts";
import { redactSecrets } from "./secrets.ts";

/** How much was removed from an answer. */
export interface CleanedCounts {
  /** Invisible characters, terminal escapes and direction marks. */
  readonly invisible: number;
  readonly secrets: number;
}
interface CleanedOutput<T> extends CleanedCounts {
  readonly output: T;
}

/** Between the texts of one answer. No cleaned text contains a zero byte, and no secret extends over one. */
const SEPARATOR = "\n\0\n";

interface CleaningOptions {
  /** The surface shows invisible characters as text, so they are removed only from texts with a secret. */
  readonly showsInvisible?: boolean;
  /** The caller's own input. A message that repeats it repeats it exactly. */
  readonly given?: unknown;
}

/**
 * The answer without invisible characters, then without secrets: a secret cut by an invisible character is only
 * recognised after that. All texts are searched in one pass, because most of the time is spent per search.
 */
export function cleanOutput(
  output: unknown,
  { showsInvisible = false, given }: CleaningOptions = {},
): CleanedOutput<unknown> {
  const texts = textsIn(output);
  // A line end could make a repeated text look like the separator.
  const repeated = textsIn(given).filter(
    (text) => !text.includes("\n") && firstInvisible(text) !== undefined,
  );
  const visible = texts.map((text) => stripExcept(text, repeated));
  const { text, found } = redactSecrets(visible.map((one) => one.text).join(SEPARATOR));
  if (found.length === 0 && (showsInvisible || visible.every(({ removed }) => removed === 0)))
    return { output, invisible: 0, secrets: 0 };
  const redacted = text.split(SEPARATOR);
  let invisible = 0;
  const cleaned = visible.map((one, at) => {
    const safe = redacted[at] ?? "";
    if (showsInvisible && safe === one.text) return texts[at] ?? "";
    invisible += one.removed;
    return safe;
  });
  let at = 0;
  return { output: mapTexts(output, () => cleaned[at++] ?? ""), invisible, secrets: found.length };
}

/** The same for one text; JSON is cleaned value by value, because an escape there may hide a character. */
export function cleanText(
  text: string,
  { mimeType = "text/plain", ...options }: CleaningOptions & { readonly mimeType?: string } = {},
): string {
  const value = mimeType === "application/json" ? parsed(text) : undefined;
  if (value === undefined) return String(cleanOutput(text, options).output);
  const { output, invisible, secrets } = cleanOutput(value, options);
  return invisible + secrets === 0 ? text : JSON.stringify(output);
}

/** In the order of `mapTexts`. */
function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === "string") texts.push(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts);
  else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value)) {
      texts.push(name);
      textsIn(item, texts);
    }
  return texts;
}

function stripExcept(text: string, [kept, ...others]: readonly string[]): ReturnType<typeof stripInvisible> {
  if (kept === undefined) return stripInvisible(text);
  const parts = text.split(kept).map((part) => stripExcept(part, others));
  return {
    text: parts.map((part) => part.text).join(kept),
    removed: parts.reduce((sum, part) => sum + part.removed, 0),
  };
}

/** A copy of the value with every text replaced, names of fields too. */
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [replace(name), mapTexts(item, replace)]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
