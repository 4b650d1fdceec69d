/** Words that people write in place of a secret. */
const PLACEHOLDER =
  /example|placeholder|your[_-]?|change[_-]?me|dummy|redact|replace|insert|sample|todo|fixme|x{4}|\*{3}|\.{3}|0{8}|1234567|abcdefgh|a1b2c3|deadbeef|\$\{|\{\{|<|>|%\(|process\.env|getenv|undefined/i;
/** The same for values with a form of their own: short words also occur in a random value. */
const PLACEHOLDER_TOKEN =
  /example|placeholder|your[_-]|change[_-]?me|dummy|redact|replace|insert|sample|x{8}|\*{3}|\.{3}|0{8}|1234567|abcdefgh|deadbeef|\$\{|\{\{|<|>|%\(/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DIGEST_PREFIX = /^(?:sha(?:1|224|256|384|512)|md5|blake\w{0,4})[-:]/i;
const REGULAR_EXPRESSION = /\[[^\]]{0,40}\w-\w[^\]]{0,40}\]|\{\d+,?\d*\}|\\[dwsb]|\(\?[:=!<]/;
/** Passwords so common that they are documentation. */
const WEAK =
  /^(?:pass(?:word|wd)?|secret|admin|root|user(?:name)?|test(?:ing)?|postgres|guest|foo(?:bar)?|bar|baz|pwd|token|my[_-]?pass(?:word)?|hunter|qwerty|letmein|changeit|changeme|redis|mysql|mongo|rabbit|elastic|minio|hello|abc)[\d!]{0,4}$/i;

/** True for text in place of a secret, and for text with fewer than five different characters. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || new Set(value).size < 5;

/** The same for a value that its own form identifies, such as `ghp_…`. */
export const isPlaceholderToken = (value: string): boolean =>
  PLACEHOLDER_TOKEN.test(value) || new Set(value).size < 5;

/** True for a password that stands where only a password can, such as in a URL: only known words rule it out. */
export const isGivenPassword = (value: string): boolean =>
  !WEAK.test(value) &&
  !/^[${%<(*"'-]/.test(value) &&
  new Set(value).size >= 3 &&
  // Short passwords have few different characters.
  !(value.length >= 5 && isPlaceholder(`${value}qjvwk`));

/** True if a value assigned to a name such as `password` looks like a real password. */
export function isPlausiblePassword(value: string): boolean {
  if (isPlaceholder(value) || UUID.test(value) || DIGEST_PREFIX.test(value)) return false;
  if (value.includes("://") || /^[./~$@%#(-]/.test(value) || REGULAR_EXPRESSION.test(value)) return false;
  if (!/[0-9!@#$%^&*+=?]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !WEAK.test(value) && !isMadeOfWords(value) && !isMessage(value) && entropy(value) >= 3;
}

/** A password that the rules above do not find: too short, without digits, or of several words. */
export function isUnusualPassword(value: string): boolean {
  if (isPlaceholder(`${value}qjvwk`) || WEAK.test(value) || REGULAR_EXPRESSION.test(value)) return false;
  if (/\s/.test(value)) return isPassphrase(value);
  if (value.length < 8)
    return value.length >= 6 && classesIn(value) >= 3 && /[0-9]/.test(value) && entropy(value) >= 2.5;
  return /^[A-Za-z]{10,64}$/.test(value) && isUnpronounceable(value);
}

/** Four words or more, none of which is used to build a sentence. */
const isPassphrase = (value: string) =>
  /^[a-z]{3,10}(?:[ -][a-z]{3,10}){3,7}$/.test(value) &&
  !/\b(?:the|and|for|are|was|must|should|will|your|you|not|with|from|this|that|has|have|least|than|please|enter|invalid|password|passphrase|token|secret|user|when|only|too|can|may|does|been)\b/.test(
    value,
  );

/** Letters without enough vowels to be read as words. */
const isUnpronounceable = (value: string) =>
  (value.match(/[aeiouy]/gi) ?? []).length / value.length < 0.2 && new Set(value.toLowerCase()).size >= 7;

const classesIn = (value: string) =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** `tls-secret-v2`, `users.token.id3`, `apiKeyHeader2`: a name, not a secret. */
function isMadeOfWords(value: string): boolean {
  const parts = value.split(/[-_./:]/);
  if (parts.length > 1 && parts.every((part) => /^(?:[A-Za-z]*|v?\d{1,4}|[A-Za-z]+\d{1,2})$/.test(part)))
    return true;
  return /^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)+\d{0,2}$/.test(value);
}

/** Words of any language with punctuation: a label or a sentence. */
const isMessage = (value: string) =>
  /[^\x20-\x7e]/.test(value) || /^[A-Za-z]+(?:[-'][A-Za-z]+)*[!?.:*]{1,3}$/.test(value);
