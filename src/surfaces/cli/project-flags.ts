import { DomainError } from "../../core/errors.ts";
import type { OpenOptions } from "./cli-context.ts";

/** `--root` and `--cache-root`, read before anything is opened: the commands come from the app, and the app needs its root. */
export function readProject(argv: readonly string[], cwd: string): OpenOptions {
  const words = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  return { root: flagValue("--root", words) ?? cwd, cacheRoot: flagValue("--cache-root", words) };
}

/** The command's own parser decides. It differs only if `--root` was the value of another option. */
export function checkProject(project: OpenOptions, parsedRoot: string | undefined, cwd: string): void {
  if (project.root === (parsedRoot ?? cwd)) return;
  throw new DomainError("invalid_input", "--root is ambiguous here. Write values as --option=VALUE.");
}

function flagValue(flag: string, words: readonly string[]): string | undefined {
  const given = words.flatMap((word, place) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
    return word === flag ? (words[place + 1] ?? []) : [];
  });
  return given.at(-1);
}
