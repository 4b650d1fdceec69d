import type { DomainError, ErrorCode } from "../../core/errors.ts";

export const OK = 0;
export const FAILURE = 1;
const USAGE = 2;
export const INTERRUPTED = 130;

const EXIT = {
  invalid_input: USAGE,
  forbidden_path: FAILURE,
  not_found: 3,
  not_indexed: 3,
  busy: 5,
  conflict: FAILURE,
  disk_full: FAILURE,
  unavailable: FAILURE,
  internal: FAILURE,
} as const satisfies Record<ErrorCode, number>;

/** The caches' contract fixes its own exit codes. */
const CACHE_EXIT: Readonly<Record<string, number>> = {
  invalid_query: 2,
  invalid_budget: 3,
  cache_missing: 4,
  cache_invalid: 5,
  io_error: 6,
  internal_error: 7,
};
const CACHE_USAGE = 1;
const CACHE_INTERNAL = 7;

export const usageExit = (room?: string): number => (room === "context-caches" ? CACHE_USAGE : USAGE);

export function exitOf(error: DomainError, room?: string): number {
  if (room !== "context-caches") return EXIT[error.code];
  if (error.reason === "schema") return schemaExit(error);
  const known = CACHE_EXIT[error.reason ?? ""];
  if (known !== undefined) return known;
  return error.code === "invalid_input" ? CACHE_USAGE : CACHE_INTERNAL;
}

/** A wrong budget has its own code; any other wrong input is a usage error. */
function schemaExit({ details }: DomainError): number {
  const params = Array.isArray(details["params"]) ? details["params"] : [];
  if (params.includes("budget")) return CACHE_EXIT["invalid_budget"] ?? CACHE_USAGE;
  return CACHE_USAGE;
}
