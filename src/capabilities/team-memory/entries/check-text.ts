import { DomainError } from "../../../core/errors.ts";
import { findSecrets } from "../../../core/hygiene/index.ts";

export interface CheckedField {
  /** The name that the caller uses, e.g. `content`. */
  readonly name: string;
  readonly text: string;
}

const MAX_TEXT_BYTES = 1024 * 1024;
/** Control characters except tab and line ends, bidi controls, and tag characters except in flags. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: we search for them
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|(?<![\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

/** Text of the store must be fully visible, not too large, and free of secrets. */
export function checkText(fields: readonly CheckedField[], { allowSecret = false } = {}): void {
  for (const { name, text } of fields) {
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      throw refusal("too_large", `The ${name} is too large: at most 1 MiB. Split it into several entries.`);
    }
    const found = FORBIDDEN.exec(text);
    if (found !== null) {
      const sign = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
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

/** A single clean line, for names and titles in headers. */
export const oneLine = (text: string): string =>
  text
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: we remove them
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .trim();

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;

const refusal = (reason: string, message: string) => new DomainError("invalid_input", message, { reason });
