import { DomainError } from "../../core/errors.ts";

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(\.\d{1,9})?\s?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** Seconds since 1970 as RFC 3339 in UTC, as the contract wants it. */
export const isoOf = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace(/\.\d{3}Z$/, "Z");

/** Seconds since 1970 of an RFC 3339 time, a time without zone (UTC), or a date; `undefined` for anything else. */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text.trim());
  if (match === null) return undefined;
  const [, date = "", time = "00:00:00", fraction = "", zone = "Z"] = match;
  // Date would silently turn 30 February into 2 March.
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined;
  const clock = time.length === 5 ? `${time}:00` : time;
  const zoned = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const parsed = Date.parse(`${date}T${clock}${fraction.slice(0, 4)}${zoned}`);
  return Number.isNaN(parsed) ? undefined : parsed / 1000;
}

const isDateOnly = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text.trim());

/** The first second that `since` includes. */
export const sinceBound = (text: string, name: string): number => Math.ceil(required(text, name));

/** The last second that `until` includes; a date means the end of that day. */
export const untilBound = (text: string, name: string): number =>
  Math.floor(required(text, name)) + (isDateOnly(text) ? 86_399 : 0);

function required(text: string, name: string): number {
  const parsed = parseInstant(text);
  if (parsed !== undefined) return parsed;
  throw new DomainError(
    "invalid_input",
    `${name} is not a date: ${JSON.stringify(text.slice(0, 80))}. Give 2026-03-01 or 2026-03-01T12:00:00Z.`,
    { details: { param: name } },
  );
}

/** Seconds since 1970 from a text, a date or a number of seconds, as connectors and front matter give them. */
export function instantOf(value: unknown): number | undefined {
  if (value instanceof Date) return wholeSeconds(value.getTime() / 1000);
  if (typeof value === "number") return wholeSeconds(value);
  return typeof value === "string" ? wholeSeconds(parseInstant(value)) : undefined;
}

/** Only years that ISO 8601 writes with four digits. */
const wholeSeconds = (seconds: number | undefined) =>
  seconds !== undefined && seconds >= -62_135_596_800 && seconds <= 253_402_300_799
    ? Math.floor(seconds)
    : undefined;
