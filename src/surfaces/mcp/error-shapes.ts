import type { DomainError, ErrorCode } from "../../core/errors.ts";
import { contractError } from "../contract-errors.ts";
import { isRoomName, type RoomName } from "../rooms.ts";

/** A failure as MCP carries it: a result flagged with isError, or a JSON-RPC error. */
type Failure = { readonly kind: "result"; readonly text: string } | RpcFailure;
export interface RpcFailure {
  readonly kind: "rpc";
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
/** `message` is the error's, with the next step in the words of this client. */
type Shape = (error: DomainError, message?: string) => Failure;

/** One row per contract, as that contract says. A new room does not compile until it has its row. */
export const ERROR_SHAPE = {
  "directory-contexts": withoutResult,
  "context-caches": asCacheError,
  "team-memory": asMemoryError,
  documents: asContractError,
  "code-index": asCodeIndexError,
  packs: asContractError,
  evaluation: asContractError,
  clients: asContractError,
  team: asContractError,
} as const satisfies Record<RoomName, Shape>;

export const failureOf = (room: string, error: DomainError, message: string): Failure =>
  (isRoomName(room) ? ERROR_SHAPE[room] : asContractError)(error, message);

/** −32602 for a name that no tool has. */
export const unknownTool = (name: string): RpcFailure => ({
  kind: "rpc",
  code: -32602,
  message: `Unknown tool: ${name.slice(0, 128)}`,
});

/** The room's own failures are ordinary results; only refused inputs and bugs come here. */
function withoutResult(error: DomainError, message = error.message): Failure {
  return asResult({ error: message });
}

/** Reasons whose answer is the bare `{"error": …}`. */
const BARE_MEMORY_REASON: ReadonlySet<string> = new Set(["scope", "entry_type", "no_entry"]);

function asMemoryError(error: DomainError, message = error.message): Failure {
  const isBare = BARE_MEMORY_REASON.has(error.reason ?? "");
  return asResult(isBare ? { error: message } : { status: "error", error: message });
}

function asContractError(error: DomainError, message = error.message): Failure {
  return asResult(contractError(error, message).body);
}

const CACHE_CODE = {
  invalid_input: "invalid_query",
  forbidden_path: "cache_missing",
  not_found: "cache_missing",
  not_indexed: "cache_missing",
  busy: "io_error",
  conflict: "cache_invalid",
  disk_full: "io_error",
  unavailable: "io_error",
  internal: "internal_error",
} as const satisfies Record<ErrorCode, string>;

/** The contract fixes every message, so a refused input gets the fixed sentence too, and no next step is added. */
function asCacheError(error: DomainError): Failure {
  const params = error.reason === "schema" ? wrongParams(error) : undefined;
  if (params?.includes("budget")) return cacheFailure("invalid_budget", "Budget is invalid");
  if (params?.includes("query")) return cacheFailure("invalid_query", "Query is invalid");
  if (params) return { kind: "rpc", code: -32602, message: `Invalid params: ${error.message}` };
  if (error.code === "internal") return cacheFailure("internal_error", "Internal error");
  return cacheFailure(error.reason ?? CACHE_CODE[error.code], error.message);
}

/** Exactly two fields and a final newline: the bytes are part of the contract. */
const cacheFailure = (code: string, message: string): Failure => ({
  kind: "result",
  text: `${JSON.stringify({ error: { code, message } })}\n`,
});

const CODE_INDEX_REASON: Readonly<Record<string, { readonly code: number; readonly message: string }>> = {
  not_a_project: { code: -32001, message: "Project not found" },
  already_indexing: { code: -32002, message: "Indexing in progress" },
  not_indexed: { code: -32003, message: "Project not indexed" },
  empty_query: { code: -32004, message: "Empty query" },
};
const INVALID_PARAMS = { code: -32602, message: "Invalid params" } as const;
const INTERNAL = { code: -32603, message: "Internal error" } as const;
const CODE_INDEX_CODE = {
  invalid_input: INVALID_PARAMS,
  forbidden_path: INVALID_PARAMS,
  not_found: INVALID_PARAMS,
  not_indexed: { code: -32003, message: "Project not indexed" },
  busy: { code: -32002, message: "Indexing in progress" },
  conflict: INTERNAL,
  disk_full: INTERNAL,
  unavailable: INTERNAL,
  internal: INTERNAL,
} as const satisfies Record<ErrorCode, { code: number; message: string }>;

/** The contract fixes the message of each code; our own message is its `reason`. */
function asCodeIndexError(error: DomainError, reason = error.message): Failure {
  const { code, message } = CODE_INDEX_REASON[error.reason ?? ""] ?? CODE_INDEX_CODE[error.code];
  const { params: _params, issues: _issues, ...details } = error.details;
  return { kind: "rpc", code, message, data: { ...details, reason } };
}

const asResult = (body: Readonly<Record<string, unknown>>): Failure => ({
  kind: "result",
  text: JSON.stringify(body),
});

const wrongParams = ({ details }: DomainError): readonly unknown[] =>
  Array.isArray(details["params"]) ? details["params"] : [];
