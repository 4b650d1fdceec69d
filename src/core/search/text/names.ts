const MAX_NAME = 64;

/** A name without its joints, in lower case: `Store.Get`, `store get` and `STORE_GET` are one. */
export const plainName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase()
    .slice(0, MAX_NAME);

/** Marks no word can begin with, so that an exact name is never taken for a word. */
export const literalNameTerm = (name: string): string => `'${name.trim().slice(0, MAX_NAME)}`;
export const literalMemberTerm = (name: string): string => `"${name.trim().slice(0, MAX_NAME)}`;
export const wholeNameTerm = (name: string): string => `=${plainName(name)}`;
export const memberNameTerm = (name: string): string => `.${plainName(name)}`;
/** A name inside of what has the title, as it is written. */
export const lesserNameTerm = (name: string): string => `,${name.trim().slice(0, MAX_NAME)}`;
/** Whether no term of the name is cut: then equal names as written are equal in every other form. */
export const isKeptWhole = (name: string): boolean => name.trim().length < MAX_NAME;
/** The name as written of a literal member's term; `undefined` for any other term. */
export const nameOfLiteralTerm = (term: string): string | undefined =>
  term.startsWith('"') ? term.slice(1) : undefined;
/** The plain name of a member's term; `undefined` for any other term. */
export const nameOfMemberTerm = (term: string): string | undefined =>
  term.startsWith(".") ? term.slice(1) : undefined;

/** Whether a term that begins with this byte has one of these two. */
export const isNameMark = (byte: number): boolean => byte === 0x22 || byte === 0x2e;
/** The same as `plainName(written) === plain`. Names of letters and digits are compared in place. */
export function hasPlainName(written: string, plain: string): boolean {
  let at = 0;
  for (let place = 0; place < written.length; place++) {
    const code = written.charCodeAt(place);
    if (code > 127) return plainName(written) === plain;
    const isUpper = code >= 65 && code <= 90;
    if (!isUpper && !(code >= 97 && code <= 122) && !(code >= 48 && code <= 57)) continue;
    if ((isUpper ? code + 32 : code) !== plain.charCodeAt(at++)) return false;
  }
  return at === plain.length;
}

/** The terms by which exactly this title is found: the whole and its member, `Get` of `Store.Get`, as written and whatever case and joints. */
export function titleTerms(title: string): string[] {
  if (plainName(title) === "") return [];
  const whole = [literalNameTerm(title), wholeNameTerm(title)];
  const member = /\s/.test(title) ? undefined : title.split(/[.#:/]+/).at(-1);
  if (member === undefined || plainName(member) === "") return whole;
  return [...whole, literalMemberTerm(member), memberNameTerm(member)];
}
