import { DomainError, type ErrorCode, type NextStep } from "../../core/errors.ts";

/** The contract's codes, each with the one message for agents. It must not contain a path, hash or system code. */
const FAILURES = {
  cache_missing: { code: "not_found", message: "Cache does not exist" },
  cache_invalid: { code: "conflict", message: "Cache exists but is invalid" },
  invalid_query: { code: "invalid_input", message: "Query is invalid" },
  invalid_budget: { code: "invalid_input", message: "Budget is invalid" },
  io_error: { code: "unavailable", message: "I/O error occurred" },
  internal_error: { code: "invalid_input", message: "Internal error" },
} as const satisfies Record<string, { code: ErrorCode; message: string }>;
type CacheFailure = keyof typeof FAILURES;

/** `message` replaces the contract's message on the command line only, where a person needs the file's name. */
export function cacheFailure(
  reason: CacheFailure,
  { message, next, cause }: { message?: string; next?: NextStep; cause?: unknown } = {},
): DomainError {
  const known = FAILURES[reason];
  return new DomainError(known.code, message ?? known.message, { reason, cause, ...(next && { next }) });
}

export const isFailure = (thrown: unknown, reason: CacheFailure): boolean =>
  thrown instanceof DomainError && thrown.reason === reason;
