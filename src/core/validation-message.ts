import type { z } from "zod";
import { nearest } from "./nearest.ts";

/** What is wrong with one field, said after its name: `query` + `must not be empty`. */
interface FieldProblem {
  readonly param: string;
  readonly message: string;
}

/** zod's issues in our words. Passed to `safeParse` as `error`, so a schema's own message wins. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== "custom") return "is required";
  switch (issue.code) {
    case "invalid_type":
      return describeType(issue.expected, receivedType(issue.input));
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return describeLimit(
        issue.origin,
        Number(issue.minimum),
        issue.inclusive === false ? "above" : "least",
      );
    case "too_big":
      return describeLimit(issue.origin, Number(issue.maximum), issue.inclusive === false ? "below" : "most");
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    case "invalid_union":
      return describeUnion(issue.errors.flat());
    case "invalid_format":
      return issue.format === "regex" ? "does not have the right form" : `must be a valid ${issue.format}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return "is not valid";
  }
}

/** One sentence for all problems of an input. */
export const describeProblems = (problems: readonly FieldProblem[]): string =>
  problems.map(({ param, message }) => describeProblem(param, message)).join("; ");

/** `name` is the field as the caller knows it, such as `--limit` on the command line. */
export function describeProblem(name: string, message: string): string {
  const subject = name === "" ? "the input" : name;
  // Some schemas bring a whole sentence that already names the field.
  if (name !== "" && message.startsWith(`${name} `)) return message;
  return /^(?:must|is|has|does) /.test(message) ? `${subject} ${message}` : `${subject}: ${message}`;
}

/** What to say of fields that the tool does not have. They are ignored, as the contracts want it, but not in silence. */
export function describeUnknownFields(
  given: readonly string[],
  known: readonly string[],
): string | undefined {
  // A name may hold anything, and the sentence may travel in a header.
  const unknown = given.filter((name) => !known.includes(name) && /^[\w.-]{1,40}$/.test(name)).slice(0, 5);
  if (unknown.length === 0) return undefined;
  const hints = unknown.map((name) => {
    const similar = nearest(name, known);
    return similar === undefined ? name : `${name} (did you mean ${similar}?)`;
  });
  return `Ignored, because this tool has no such field: ${hints.join(", ")}.`;
}

const describeType = (expected: string, received: string) =>
  expected === "int" && received === "number"
    ? "must be a whole number"
    : `must be ${typeName(expected)}, not ${typeName(received)}`;

function describeLimit(origin: string, limit: number, kind: "least" | "most" | "above" | "below"): string {
  const isCounted = origin === "string" || origin === "array" || origin === "set" || origin === "object";
  if (isCounted && kind === "least" && limit === 1) return "must not be empty";
  const unit = origin === "string" ? "character" : "item";
  const amount = isCounted ? `${limit} ${limit === 1 ? unit : `${unit}s`}` : String(limit);
  const words = { least: "at least", most: "at most", above: "more than", below: "less than" } as const;
  return `must ${isCounted ? "have" : "be"} ${words[kind]} ${amount}`;
}

/** The types a union takes, or the first problem found in it if its members differ by more than their type. */
function describeUnion(issues: readonly z.core.$ZodIssue[]): string {
  const types = issues.map((issue) => (issue.code === "invalid_type" ? typeName(issue.expected) : undefined));
  if (types.length > 0 && types.every((type) => type !== undefined)) {
    return `must be ${[...new Set(types)].join(" or ")}`;
  }
  return issues.find(({ code }) => code !== "invalid_type")?.message ?? "is not valid";
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  nan: "NaN",
};
const typeName = (type: string) => TYPE_NAMES[type] ?? type;

function receivedType(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "array";
  return Number.isNaN(input) ? "nan" : typeof input;
}
