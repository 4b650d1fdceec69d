import { basename } from "node:path";
import { DomainError, errnoOf } from "../../core/errors.ts";
import { cacheFailure } from "./failures.ts";

/** Adds the cache's name and the next step to the contract's bare messages. */
export async function nameCacheInFailures<T>(cache: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    if (thrown.reason === "cache_missing")
      throw cacheFailure("cache_missing", {
        message: `Cache does not exist: ${cache}. See contextful caches list, or build it with contextful caches build.`,
      });
    if (thrown.reason === "cache_invalid" && !thrown.message.includes("\n"))
      throw cacheFailure("cache_invalid", {
        message: `Cache exists but is invalid: ${cache}. contextful caches verify says why.`,
      });
    const errno = errnoOf(thrown.cause);
    if (thrown.reason === "io_error" && errno !== undefined)
      throw cacheFailure("io_error", {
        message: `I/O error occurred: ${cache}: cannot read ${fileOf(thrown.cause)} (${errno}).`,
        cause: thrown.cause,
      });
    throw thrown;
  }
}

/** The name of the file a system error is about. */
function fileOf(cause: unknown): string {
  const path = cause instanceof Error && "path" in cause ? cause.path : undefined;
  return typeof path === "string" ? basename(path) : "a file";
}
