import { isGivenPassword, isPlaceholder, isPlausiblePassword, isUnusualPassword } from "./plausible.ts";

export interface SecretSpan {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const PASSWORD_NAMES = "password|passwd|passphrase|pwd";
const NAMES = `${PASSWORD_NAMES}|secret|secret[_-]?key|secret[_-]?key[_-]?base|client[_-]?secret|api[_-]?key|apikey|auth[_-]?token|access[_-]?token|session[_-]?token|refresh[_-]?token|private[_-]?key|encryption[_-]?key|signing[_-]?key|token`;

/** One way in which a text says that a value is secret. Every gap is bounded, so that hostile text costs linear time. */
interface SecretContext {
  readonly kind: string;
  /** In lower case. If none of them is in the text, the pattern is skipped. */
  readonly words: readonly string[];
  /** Faster than the pattern. If it does not match, the pattern is skipped. */
  readonly quick?: RegExp;
  /** Group 1 is the secret. */
  readonly pattern: RegExp;
  isReal(value: string): boolean;
}

const URL_WITH_PASSWORD = /:\/\/[^\s:/@"'`<>]{0,100}:[^\s:"'`<>]{3,200}@/;

const CONTEXTS: readonly SecretContext[] = [
  {
    kind: "aws secret key",
    words: ["aws", "secretaccesskey", "secret_access_key"],
    pattern:
      /(?:aws.{0,20}?(?:secret|private).{0,20}?|secret_?access_?key["']?\s{0,4})["'\s:=]{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    isReal: (value) =>
      !isPlaceholder(value) && /[a-z]/.test(value) && /[A-Z0-9]/.test(value) && !/^[a-f0-9]+$/.test(value),
  },
  {
    kind: "password in a url",
    words: ["://"],
    quick: URL_WITH_PASSWORD,
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:([^\s:@"'`<>/]{3,200})@[A-Za-z0-9[]/g,
    isReal: isGivenPassword,
  },
  {
    // A password may hold a slash or an at sign. A number before a slash is a port.
    kind: "password in a url",
    words: ["://"],
    quick: URL_WITH_PASSWORD,
    pattern:
      /(?<![A-Za-z0-9+.-])(?!https?:)[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{1,100}:(?!\d{1,5}[/?#])([^\s:"'`<>]{3,200})@[A-Za-z0-9.-]{1,100}(?::\d{1,5})?(?=[/?#\s"'`<>]|$)/gm,
    isReal: (value) => /[/@]/.test(value) && isGivenPassword(value),
  },
  {
    kind: "authorization header",
    words: ["authorization"],
    pattern:
      /authorization["']?\s{0,4}[:=,]\s{0,4}["'`]?(?:basic|bearer|token)\s{1,4}([A-Za-z0-9+/=_.~-]{16,400})/gi,
    isReal: (value) => !isPlaceholder(value),
  },
  {
    kind: "api key header",
    words: ["x-api-key", "x-auth-token"],
    pattern: /x-(?:api-key|auth-token)["']?\s{0,4}[:=,]\s{0,4}["'`]?([A-Za-z0-9+/=_.~-]{16,400})/gi,
    isReal: isPlausiblePassword,
  },
  {
    kind: "registry token",
    words: ["_auth"],
    pattern: /:?_(?:authtoken|auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([A-Za-z0-9+/=_.-]{8,400})/gi,
    isReal: (value) => isPlausiblePassword(value) || isBasicCredential(value),
  },
  {
    kind: "registry token",
    words: ['"auth"'],
    pattern: /"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,400}={0,2})"/g,
    isReal: isBasicCredential,
  },
  {
    kind: "password in a connection string",
    words: ["password=", "pwd="],
    pattern:
      /(?:server|data source|host|user id|uid|username|database)[ ]?=[^\n"'`]{1,200}?;[ ]?(?:password|pwd)[ ]?=[ ]?([^;\s"'`]{3,100})/gi,
    isReal: isGivenPassword,
  },
  {
    kind: "password of a command",
    words: ["curl"],
    pattern: /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?["']?[\w.@+-]{1,60}:([^\s"'`]{3,100})/g,
    isReal: isGivenPassword,
  },
  {
    kind: "password of a command",
    words: ["sshpass"],
    pattern: /\bsshpass\s{1,4}-p[ ]?["']?([^\s"'`]{3,100})/g,
    isReal: isGivenPassword,
  },
  {
    kind: "netrc password",
    words: ["machine"],
    pattern: /\bmachine\s{1,4}\S{1,100}\s{1,8}login\s{1,4}\S{1,100}\s{1,8}password\s{1,4}(\S{3,100})/g,
    isReal: isGivenPassword,
  },
  {
    kind: "password hash",
    words: ["$apr1$", "$2y$", "$2b$", "$2a$", "$6$", "$5$", "{sha}"],
    pattern:
      /^[ \t]{0,40}(?:[-#|] {1,4})?[\w.@-]{1,60}:(\$(?:apr1|2[aby]|5|6)\$[./A-Za-z0-9$]{22,120}|\{SHA\}[A-Za-z0-9+/]{27}=)/gm,
    isReal: (value) => !isPlaceholder(value),
  },
  {
    kind: "heroku key",
    words: ["heroku"],
    pattern:
      /heroku[^\n]{0,40}?["'\s:=]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![\w-])/gi,
    isReal: (value) => !isPlaceholder(value),
  },
  {
    kind: "sql password",
    words: ["identified by", "password '"],
    pattern: /\b(?:identified\s{1,4}by|password)\s{1,4}'([^'\s]{3,100})'/gi,
    isReal: (value) => isGivenPassword(value) && /[0-9!@#$%^&*]/.test(value),
  },
  {
    // `dbPassword = "…"`, `"api_key": "…"`: the name ends with one of the words, the value is quoted.
    kind: "password",
    words: ["passw", "passphrase", "pwd", "secret", "key", "token"],
    pattern: new RegExp(
      `(?:${NAMES})["'\`]?\\s{0,4}(?::=|=>|[:=])\\s{0,4}["'\`]([^"'\`\\s]{8,400})["'\`]`,
      "gi",
    ),
    isReal: isPlausiblePassword,
  },
  {
    kind: "password",
    words: ["passw", "passphrase", "pwd"],
    pattern: new RegExp(
      `(?:${PASSWORD_NAMES})["'\`]?\\s{0,4}(?::=|=>|[:=])\\s{0,4}["'\`]([^"'\`\\n]{6,100})["'\`]`,
      "gi",
    ),
    isReal: isUnusualPassword,
  },
  {
    // The value of a constant, or the default of a variable: `getenv("DB_PASSWORD", "…")`.
    kind: "password",
    words: ["define", "env", "fetch"],
    pattern: new RegExp(
      `(?:define|getenv|putenv|setenv|environ\\.get|env|fetch)\\(\\s{0,4}["'][\\w.-]{0,60}(?:${NAMES})["']\\s{0,4},\\s{0,4}["'\`]([^"'\`\\s]{8,200})["'\`]`,
      "gi",
    ),
    isReal: isPlausiblePassword,
  },
  {
    // Environment files and lists of variables: upper case, at the start of a line, unquoted.
    kind: "password",
    words: ["passw", "secret", "key", "token"],
    pattern:
      /^[ \t]{0,40}(?:[-#|] {1,4})?(?:export |ENV )?[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|APIKEY|SECRET_KEY|PRIVATE_KEY|ACCESS_KEY)=([^\s"'`]{8,2000})(?: \|)?\r?$/gm,
    isReal: isPlausiblePassword,
  },
  {
    // YAML and properties: the same in lower case, with stricter rules for the value.
    kind: "password",
    words: ["passw", "secret", "key", "token"],
    pattern:
      /^[ \t]{0,40}(?:[-#|] {1,8})?[a-z0-9_.-]{0,60}(?:password|passwd|secret|token|api_key|apikey|secret_key_base)[ ]?[:=][ ]{0,4}([A-Za-z0-9!@#$%^&*+=/_-]{12,2000})(?: \|)?\r?$/gm,
    isReal: (value) => isPlausiblePassword(value) && /\d/.test(value),
  },
];

/** Several contexts share words: a text is searched once for each. */
const WORDS = [...new Set(CONTEXTS.flatMap(({ words }) => words))];

/** Secrets recognised by the text before them. */
export function contextualSecrets(text: string): SecretSpan[] {
  const low = text.toLowerCase();
  const present = new Set(WORDS.filter((word) => low.includes(word)));
  return CONTEXTS.filter(
    ({ words, quick }) => words.some((word) => present.has(word)) && (quick?.test(text) ?? true),
  ).flatMap(({ kind, pattern, isReal }) => [...matches(kind, pattern, text, isReal)]);
}

/** `user:password` in base64, as HTTP and registries send it. */
function isBasicCredential(value: string): boolean {
  const decoded = Buffer.from(value, "base64").toString("latin1");
  const [, password = ""] = /^[\x21-\x7e]{1,80}?:([\x21-\x7e]{3,200})$/.exec(decoded) ?? [];
  return password !== "" && isGivenPassword(password);
}

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
