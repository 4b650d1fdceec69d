import { isPlaceholder, isPlausiblePassword } from "./plausible.ts";

export interface SecretSpan {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const NAMES =
  "password|passwd|passphrase|pwd|secret|secret[_-]?key|client[_-]?secret|api[_-]?key|apikey|auth[_-]?token|access[_-]?token|refresh[_-]?token|private[_-]?key|encryption[_-]?key|signing[_-]?key|token";
/** `dbPassword = "…"`, `"api_key": "…"`: the name ends with one of the words, the value is quoted. */
const QUOTED = new RegExp(
  `(?:${NAMES})["'\`]?\\s{0,4}(?::=|=>|[:=])\\s{0,4}["'\`]([^"'\`\\s]{8,200})["'\`]`,
  "gi",
);
/** Environment files: upper case, at the start of a line, unquoted. */
const ENVIRONMENT =
  /^(?:export )?[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|APIKEY|SECRET_KEY|PRIVATE_KEY|ACCESS_KEY)=([^\s"'`]{8,200})$/gm;
/** YAML and properties: the same in lower case, with stricter rules for the value. */
const SETTING =
  /^[ \t]{0,40}[a-z0-9_.-]{0,60}(?:password|passwd|secret|token|api_key|apikey)[ ]?[:=][ ]{0,4}([A-Za-z0-9!@#$%^&*+=/_-]{12,200})\r?$/gm;
const AWS_SECRET =
  /aws.{0,20}?(?:secret|private).{0,20}?["'\s:=]{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi;
const URL_PASSWORD =
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:([^\s:@"'`<>/]{3,200})@[A-Za-z0-9[]/g;
const HEADER =
  /authorization["']?\s{0,4}[:=,]\s{0,4}["'`]?(?:basic|bearer|token)\s{1,4}([A-Za-z0-9+/=_.~-]{16,400})/gi;
/** Passwords so common that they are documentation. */
const WEAK =
  /^(?:pass(?:word|wd)?|secret|admin|root|user(?:name)?|test|postgres|guest|foo|bar|pwd|token|mypass(?:word)?)\d{0,3}$/i;

/** Secrets recognised by the text before them. */
export function contextualSecrets(text: string): SecretSpan[] {
  const low = text.toLowerCase();
  const has = (...words: string[]) => words.some((word) => low.includes(word));
  const spans: SecretSpan[] = [];
  const add = (kind: string, pattern: RegExp, isReal: (value: string) => boolean) => {
    for (const span of matches(kind, pattern, text, isReal)) spans.push(span);
  };
  if (has("aws"))
    add(
      "aws secret key",
      AWS_SECRET,
      (value) =>
        !isPlaceholder(value) && /[a-z]/.test(value) && /[A-Z0-9]/.test(value) && !/^[a-f0-9]+$/.test(value),
    );
  if (has("://"))
    add(
      "password in a url",
      URL_PASSWORD,
      (value) => !isShortPlaceholder(value) && !WEAK.test(value) && !/^[${%]/.test(value),
    );
  if (has("authorization")) add("authorization header", HEADER, (value) => !isPlaceholder(value));
  if (has("passw", "passphrase", "pwd", "secret", "key", "token")) {
    add("password", QUOTED, isPlausiblePassword);
    add("password", ENVIRONMENT, isPlausiblePassword);
    add("password", SETTING, (value) => isPlausiblePassword(value) && /\d/.test(value));
  }
  return spans;
}

/** Short passwords have few different characters; only fewer than three rule a password out. */
const isShortPlaceholder = (value: string) =>
  new Set(value).size < 3 || (value.length >= 5 && isPlaceholder(`${value}qjvwk`));

export function* matches(
  kind: string,
  pattern: RegExp,
  text: string,
  isReal: (value: string) => boolean,
): Generator<SecretSpan> {
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0];
    if (!isReal(value)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    yield { kind, start, end: start + value.length };
  }
}
