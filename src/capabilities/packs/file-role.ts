import { isBelowTestData, kindsOf, type PathKind } from "../../core/files/path-kinds.ts";

/** What a file is to a task: the source to edit, a test of it, or something that is seldom read for itself. In their order. */
export const FILE_ROLES = ["source", "test", "accessory"] as const;
export type FileRole = (typeof FILE_ROLES)[number];

const ACCESSORY_KINDS: ReadonlySet<PathKind> = new Set([
  "bench",
  "changelog",
  "example",
  "generated",
  "translation",
  "vendored",
]);
/** Snapshots, lock files and built files. */
const ACCESSORY =
  /(?:^|\/)dist\/|\.(?:snap|stderr|golden|expected|map|lock|min\.css)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb|go\.sum)$|(?:^|\/)\.?(?:changesets?|changelog\.d)\//;

/** By its path alone; a file is an accessory before it is a test. */
export function fileRoleOf(path: string): FileRole {
  const kinds = kindsOf(path);
  if (isBelowTestData(path) || ACCESSORY.test(path) || kinds.some((kind) => ACCESSORY_KINDS.has(kind)))
    return "accessory";
  return kinds.includes("test") ? "test" : "source";
}

const TEST_WORD = /\b(?:tests?|testing|specs?|fixtures?|snapshots?|coverage|flaky)\b/i;
/** A task says early what it is about. */
const FIRST_WORDS = 10;
const BESIDES = /\b(?:and|with|plus|including)(?:\s+\w+)?\s+tests?\b/gi;

/** Whether a task is about tests themselves: then they are not limited. "Add a flag, with tests" is about the flag. */
export const isAboutTests = (task: string): boolean =>
  TEST_WORD.test(task.split(/\s+/).slice(0, FIRST_WORDS).join(" ").replace(BESIDES, ""));
