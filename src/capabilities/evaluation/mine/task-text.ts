import { basename } from "node:path";

const LONGEST = 1_000;
const TRAILER =
  /^(?:[A-Z][\w-]*-(?:by|to|id)|cc|fixes|closes|resolves|refs?|see|issue|pr|change-id|bug|test plan|backport.*|cherry.*)\s*:.*$/i;

/**
 * The task that a commit message describes, without what gives the answer away: trailers, links, code blocks, the names of
 * the changed files, and identifiers in `answers`. A plain English word stays, even if a function has that name.
 */
export function taskOf(message: string, answers: ReadonlySet<string>, files: readonly string[] = []): string {
  const prose = message
    .replace(/```[\s\S]*?```/g, " ")
    .split("\n")
    .filter((line) => !TRAILER.test(line.trim()) && !/^(?:diff --git|@@|[+-]{3} )/.test(line))
    .join("\n")
    .replace(/https?:\/\/\S+/g, " ")
    .replace(/\(?(?:\b(?:closes|fixes|resolves|refs|fix|close|gh-?)\s*)?#\d+\)?/gi, " ");
  const names = new Set(files.flatMap((file) => [file, basename(file)]));
  const words = prose.split(/\s+/).filter((word) => {
    const bare = word.replace(/^[`'"([{<]+|[`'"\])}>.,:;!?]+$/g, "");
    if (names.has(bare) || [...names].some((name) => bare.endsWith(`/${name}`))) return false;
    return !bare.split(/[^\p{L}\p{N}_$]+/u).some((part) => answers.has(part) && isIdentifier(part, word));
  });
  return words.join(" ").trim().slice(0, LONGEST);
}

/** By its form, or because the message marks it as code. */
const isIdentifier = (name: string, word: string): boolean =>
  /_|[a-z\d][A-Z]|^[A-Z][a-z]+[A-Z]/.test(name) || word.includes("`") || word.includes(`${name}(`);
