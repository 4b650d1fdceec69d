import { contextualSecrets, matches, type SecretSpan } from "./contextual-secrets.ts";
import { joinedText } from "./joined-text.ts";
import { lineCounter } from "./lines.ts";
import { isPlaceholderToken } from "./plausible.ts";
import { SECRET_RULES } from "./secret-rules.ts";

interface FoundSecret {
  readonly kind: string;
  /** From 1. */
  readonly line: number;
  /** Offsets into the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Keys, tokens and passwords in a text, in order, without overlaps. Hashes, UUIDs and placeholders are not secrets. */
export function findSecrets(text: string): FoundSecret[] {
  const spans = withoutOverlaps([
    ...privateKeys(text),
    ...tokens(text),
    ...contextualSecrets(text),
    ...joinedSecrets(text),
  ]);
  if (spans.length === 0) return [];
  const lineAt = lineCounter(text);
  return spans.map(({ kind, start, end }) => ({ kind, line: lineAt(start), start, end }));
}

/** The text with each secret replaced by `[redacted: kind]`; the number of lines does not change. */
export function redactSecrets(text: string): {
  readonly text: string;
  readonly found: readonly { readonly kind: string; readonly line: number }[];
} {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return { text, found: [] };
  const parts: string[] = [];
  let from = 0;
  for (const { kind, start, end } of secrets) {
    const breaks = text.slice(start, end).replace(/[^\r\n]+/g, "");
    parts.push(text.slice(from, start), `[redacted: ${kind}]`, breaks);
    from = end;
  }
  parts.push(text.slice(from));
  return { text: parts.join(""), found: secrets.map(({ kind, line }) => ({ kind, line })) };
}

/** The lines of a text. Private keys are removed before the cut: a line from inside a key could not be recognised. */
export const quotableLines = (text: string): readonly string[] =>
  (text.includes("PRIVATE KEY") ? redactSecrets(text).text : text).split("\n");

/** Every token of the table is in a run of so many of these characters, and such runs are a small part of most texts. */
const MIN_RUN = 20;
const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.:/+=%?&~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function* tokens(text: string): Generator<SecretSpan> {
  const runs = longRuns(text);
  for (const { kind, anchor, pattern } of SECRET_RULES) {
    if (runs.includes(anchor)) yield* matches(kind, pattern, text, (value) => !isPlaceholderToken(value));
  }
}

/** Secrets written in two halves, as in `"ghp_…" + "…"`: the span covers both. */
function joinedSecrets(text: string): SecretSpan[] {
  const joined = joinedText(text);
  if (joined === undefined) return [];
  return [...tokens(joined.text), ...contextualSecrets(joined.text)]
    .map(({ kind, start, end }) => ({ kind, start: joined.offset(start), end: joined.offset(end - 1) + 1 }))
    .filter(({ start, end }) => JOINT_INSIDE.test(text.slice(start, end)));
}
const JOINT_INSIDE = /["'`]\s*\+\s*["'`]/;

/** A run is found by looking at every twentieth character: it is too long to lie between two of them. */
function longRuns(text: string): string {
  const runs: string[] = [];
  const isInRun = (at: number) => IN_RUN[text.charCodeAt(at)] === 1;
  for (let at = MIN_RUN - 1; at < text.length; at += MIN_RUN) {
    if (!isInRun(at)) continue;
    let start = at;
    while (start > 0 && isInRun(start - 1)) start--;
    while (at < text.length && isInRun(at)) at++;
    if (at - start >= MIN_RUN) runs.push(text.slice(start, at));
  }
  return runs.join(" ");
}

/** The earlier start wins; for equal starts the earlier rule, which is the more specific one. */
function withoutOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const kept: SecretSpan[] = [];
  let end = -1;
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.start < end) continue;
    kept.push(span);
    end = span.end;
  }
  return kept;
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = "-----END ";
const KEY_LINE = /^[\s"'\\nr,+A-Za-z0-9/=:-]*$/;

/** PEM and PGP blocks: from the header to the footer or, if there is no footer, to the last line that looks like a key. */
function* privateKeys(text: string): Generator<SecretSpan> {
  if (!text.includes("PRIVATE KEY")) return;
  let after = 0;
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < after) continue;
    const start = match.index;
    const body = start + match[0].length;
    after = endOfKey(text, body);
    // A header alone, as in documentation or in a parser's source, is not a key.
    if (text.slice(body, after).replace(/[^A-Za-z0-9]/g, "").length < 60) continue;
    yield { kind: "private key", start, end: after };
  }
}

function endOfKey(text: string, body: number): number {
  let at = body;
  while (at < text.length) {
    const lineEnd = indexOrEnd(text, "\n", at);
    const line = text.slice(at, lineEnd);
    const footer = line.indexOf(END);
    if (footer >= 0) {
      const close = text.indexOf("-----", at + footer + END.length);
      return close < 0 || close > lineEnd ? lineEnd : close + 5;
    }
    if (!KEY_LINE.test(line)) return at === body ? lineEnd : at - 1;
    at = lineEnd + 1;
  }
  return Math.min(at, text.length);
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}
