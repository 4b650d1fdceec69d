import { DomainError } from "../../../core/errors.ts";
import { firstInvisible } from "../../../core/hygiene/index.ts";
import { nearest } from "../../../core/nearest.ts";

const MAX_KEY_CHARACTERS = 100;
const MAX_KEY_BYTES = 200;
const MAX_SKILL_NAME = 64;
const MAX_SLUG_CHARACTERS = 60;
const MAX_SLUG_BYTES = 160;
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const PROTOTYPE = new Set(["__proto__", "prototype", "constructor"]);

/** The file name of a knowledge entry or convention: the same on every system, and never a path. */
export function normaliseKey(requested: string): string {
  requireVisible(requested);
  const key = dashed(requested, /[^\p{L}\p{N}_-]/gu);
  if (key === "") throw invalid("Key cannot be empty. Use letters, digits, '-' or '_'.");
  if ([...key].length > MAX_KEY_CHARACTERS || Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw invalid(`Key is too long: at most ${MAX_KEY_CHARACTERS} characters and ${MAX_KEY_BYTES} bytes.`);
  }
  return allowed(key);
}

/** A name by the rules of Agent Skills: a-z, 0-9 and single dashes, at most 64. */
export function normaliseSkillName(requested: string): string {
  requireVisible(requested);
  const plain = requested.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const name = dashed(plain, /[^a-z0-9-]/g);
  if (name === "") throw invalid("Skill name cannot be empty. Use a-z, 0-9 and '-'.");
  if (name.length > MAX_SKILL_NAME) {
    throw invalid(`Skill name is too long: at most ${MAX_SKILL_NAME} characters.`);
  }
  return allowed(name);
}

/** The readable part of a decision's file name. Every title has one. */
export function slugOf(title: string): string {
  const whole = dashed(title, /[^\p{L}\p{N}_-]/gu);
  let slug = [...whole].slice(0, MAX_SLUG_CHARACTERS).join("");
  while (Buffer.byteLength(slug) > MAX_SLUG_BYTES) slug = [...slug].slice(0, -1).join("");
  return slug.replace(/-+$/, "") || "decision";
}

/**
 * The names under which an entry may exist: as requested, because other programs have their own rules, then by our
 * rules. An invalid name matches nothing.
 */
export function namesFor(requested: string, normalise: (requested: string) => string): readonly string[] {
  requireVisible(requested);
  const exact = /[/\\\0]/.test(requested) ? [] : [requested, requested.normalize("NFC")];
  return [...exact, ...nameByRules(requested, normalise)];
}

/**
 * The names that a removal accepts: the exact one, and the same in another case or with spaces for dashes. A name that
 * only resembles an entry must not remove it.
 */
export function removableNames(requested: string): readonly string[] {
  requireVisible(requested);
  const name = requested.normalize("NFC");
  const folded = name.trim().toLowerCase().replaceAll(/ +/g, "-");
  return [...new Set([requested, name, folded])].filter((one) => /^(?!\.{0,2}$)[^/\\]+$/.test(one));
}

/** The entry that the caller of a removal probably meant. */
export function nearestName(
  requested: string,
  known: readonly string[],
  normalise: (requested: string) => string,
): string | undefined {
  const [byRules] = nameByRules(requested, normalise);
  return byRules !== undefined && known.includes(byRules) ? byRules : nearest(requested, known);
}

/** Nobody sees such a character, so a name with one is a mistake or a trick. */
export function requireVisible(name: string): void {
  if (/[\t\n\r]/.test(name) || firstInvisible(name) !== undefined)
    throw invalid("The name holds an invisible or control character. Write the name without it.");
}

/** One name, or none. */
function nameByRules(
  requested: string,
  normalise: (requested: string) => string,
): readonly [string] | readonly [] {
  try {
    return [normalise(requested)];
  } catch {
    return [];
  }
}

/** True if the name could reach the prototype of an object. */
export const isPrototypeName = (name: string): boolean => PROTOTYPE.has(name);

const dashed = (text: string, unwanted: RegExp) =>
  text
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replaceAll(unwanted, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");

function allowed(name: string): string {
  if (DEVICE.test(name) || isPrototypeName(name)) throw invalid(`'${name}' is a reserved name. Use another.`);
  return name;
}

const invalid = (message: string) => new DomainError("invalid_input", message, { reason: "key" });
