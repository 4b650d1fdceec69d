import type { DomainError, ErrorCode } from "../core/errors.ts";

interface ContractError {
  readonly code: string;
  readonly status: 400 | 404 | 409 | 500 | 503;
}

/** The documents contract's word and HTTP status for each of our codes. `busy` and similar codes are not in it and keep their own word. */
const CONTRACT_ERROR = {
  invalid_input: { code: "bad_request", status: 400 },
  forbidden_path: { code: "bad_request", status: 400 },
  not_found: { code: "not_found", status: 404 },
  not_indexed: { code: "not_indexed", status: 409 },
  busy: { code: "busy", status: 503 },
  conflict: { code: "conflict", status: 409 },
  disk_full: { code: "internal", status: 500 },
  unavailable: { code: "unavailable", status: 503 },
  internal: { code: "internal", status: 500 },
} as const satisfies Record<ErrorCode, ContractError>;

/** Reasons that are the contract's own codes. */
const CONTRACT_REASON: Readonly<Record<string, ContractError>> = {
  bad_request: { code: "bad_request", status: 400 },
  not_found: { code: "not_found", status: 404 },
  not_configured: { code: "not_configured", status: 400 },
  embeddings_disabled: { code: "embeddings_disabled", status: 400 },
};

/** Every HTTP status a tool may fail with, for the OpenAPI document. */
export const CONTRACT_STATUSES: readonly number[] = [
  ...new Set(Object.values(CONTRACT_ERROR).map(({ status }) => status)),
].toSorted((a, b) => a - b);

/** The error object of the documents contract, and the HTTP status that goes with it. `message` may add the next step. */
export function contractError(error: DomainError, message: string = error.message) {
  const { code, status } = CONTRACT_REASON[error.reason ?? ""] ?? CONTRACT_ERROR[error.code];
  return { status, body: { error: { code, message } } };
}
