import { DomainError } from "../../../core/errors.ts";
import { findSecrets, firstInvisible, stripInvisible } from "../../../core/hygiene/index.ts";

interface CheckedField {
  /** The name that the caller uses, e.g. `content`. */
  readonly name: string;
  readonly text: string;
}

const MAX_TEXT_BYTES = 1024 * 1024;
/** Half of a character. */
const SURROGATE = /\p{Surrogate}/u;

/** Text of the store must be fully visible, not too large, and free of secrets. */
export function checkText(fields: readonly CheckedField[], { allowSecret = false } = {}): void {
  for (const { name, text } of fields) {
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      throw refusal("too_large", `The ${name} is too large: at most 1 MiB. Split it into several entries.`);
    }
    const found = firstForbidden(text);
    if (found !== undefined) {
      const sign = found.code.toString(16).toUpperCase().padStart(4, "0");
      throw refusal(
        "invisible",
        `Line ${lineAt(text, found.index)} of the ${name} holds the invisible character U+${sign}. Remove it.`,
      );
    }
    if (allowSecret) continue;
    const [secret] = findSecrets(text);
    if (secret !== undefined) {
      throw refusal(
        "secret",
        `Line ${secret.line} of the ${name} looks like a secret (${secret.kind}). Nothing was stored: memory is shared through git. Say where the secret is kept instead.`,
      );
    }
  }
}

/** The same characters that results do not show. A byte order mark is part of many files and does no harm. */
function firstForbidden(text: string): { readonly index: number; readonly code: number } | undefined {
  const found = firstInvisible(text.replace(/^\ufeff/, ""));
  const half = SURROGATE.exec(text);
  return found ?? (half === null ? undefined : { index: half.index, code: half[0].charCodeAt(0) });
}

/** A single clean line, for names and titles in headers. */
export const oneLine = (text: string): string =>
  stripInvisible(text.normalize("NFC").replaceAll(/[\p{Cc}\s\u2028\u2029]+/gu, " "))
    .text.replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll(/ {2,}/g, " ")
    .trim();

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;

const refusal = (reason: string, message: string) => new DomainError("invalid_input", message, { reason });
