import { lstatSync, readdirSync, type Stats } from "node:fs";
import { errnoOf } from "../../core/errors.ts";
import { cacheFailure } from "./failures.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

/** True where an error of the file system says that nothing can be at a path. */
export const isNotFound = (thrown: unknown): boolean => ABSENT.has(errnoOf(thrown) ?? "");

/** What is at a path, links not followed; `undefined` where nothing is, `io_error` where that cannot be told. */
export const lstatIfPresent = (path: string): Stats | undefined => lookUp(() => lstatSync(path));

/** The names in a directory; none where there is no directory. */
export const listNames = (directory: string): string[] => lookUp(() => readdirSync(directory)) ?? [];

function lookUp<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw errnoOf(thrown) === undefined ? thrown : cacheFailure("io_error", { cause: thrown });
  }
}
