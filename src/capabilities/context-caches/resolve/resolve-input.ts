import { DomainError } from "../../../core/errors.ts";
import { cacheFailure, isFailure } from "../failures.ts";

/** Not checked by a schema: the contract fixes the order of the checks and their error codes. */
export interface RawResolveInput {
  readonly cache?: unknown;
  readonly query?: unknown;
  readonly budget?: unknown;
}
export interface ResolveInput {
  readonly query: string;
  readonly budget: number;
}
interface CheckedResolveInput extends ResolveInput {
  readonly cache: string;
}

/** Budget first, then query, then name: a negative budget is an error even if the cache does not exist. */
export function checkResolveInput({ cache, query, budget }: RawResolveInput): CheckedResolveInput {
  if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0)
    throw cacheFailure("invalid_budget");
  if (typeof query !== "string" || /\p{Surrogate}/u.test(query)) throw cacheFailure("invalid_query");
  return { cache: checkCacheName(cache), query, budget };
}

/** The same, with messages that say what to type. */
export function checkResolveInputForPeople(asked: RawResolveInput): CheckedResolveInput {
  try {
    return checkResolveInput(asked);
  } catch (thrown) {
    if (isFailure(thrown, "invalid_budget"))
      throw cacheFailure("invalid_budget", {
        message: "Budget is invalid: --budget takes a whole number from 0.",
      });
    if (isFailure(thrown, "invalid_query"))
      throw cacheFailure("invalid_query", { message: "Query is invalid: --query takes a text." });
    throw thrown;
  }
}

export function checkCacheName(name: unknown): string {
  if (typeof name === "string") return name;
  throw new DomainError("invalid_input", "cache must be the name of a cache.", {
    reason: "schema",
    details: { param: "cache", params: ["cache"] },
  });
}
