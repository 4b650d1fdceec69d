/** Words that people write in place of a secret. */
const PLACEHOLDER =
  /example|placeholder|your[_-]?|change[_-]?me|dummy|redact|replace|insert|sample|todo|fixme|x{4}|\*{3}|\.{3}|0{8}|1234567|abcdefgh|deadbeef|\$\{|\{\{|<|>|%\(|process\.env|getenv|undefined/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DIGEST_PREFIX = /^(?:sha(?:1|224|256|384|512)|md5|blake\w{0,4})[-:]/i;

/** True for text in place of a secret, and for text with fewer than five different characters. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || new Set(value).size < 5;

/** True if a value assigned to a name such as `password` looks like a real password. */
export function isPlausiblePassword(value: string): boolean {
  if (isPlaceholder(value) || UUID.test(value) || DIGEST_PREFIX.test(value)) return false;
  if (value.includes("://") || /^[./~$@%#(]/.test(value)) return false;
  if (!/[0-9!@#$%^&*+=?]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !isMadeOfWords(value) && entropy(value) >= 3;
}

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** `tls-secret-v2`, `users.token.id3`: a name, not a secret. */
function isMadeOfWords(value: string): boolean {
  const parts = value.split(/[-_./:]/);
  return parts.length > 1 && parts.every((part) => /^(?:[A-Za-z]*|v?\d{1,4}|[A-Za-z]+\d{1,2})$/.test(part));
}
