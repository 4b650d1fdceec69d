export type ErrorCode =
  | "invalid_input"
  | "forbidden_path"
  | "not_found"
  | "not_indexed"
  | "busy"
  | "conflict"
  | "disk_full"
  | "unavailable"
  | "internal";

/** What to call next, as data: each edge says it in its own words (tool name, command line or route). */
export interface NextStep {
  /** The tool's own name, never its safe one. */
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** The command line starts it as a process of its own, which ends when it is done. */
  readonly isInBackground?: boolean;
}

interface ErrorExtras {
  /** The room's own, narrower name for the failure, e.g. `cache_invalid`; its contract's row at the edge reads it. */
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly next?: NextStep;
  readonly cause?: unknown;
}

/** The only error a capability throws on purpose. Anything else is a bug and becomes `internal`. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly next: NextStep | undefined;

  constructor(code: ErrorCode, message: string, { reason, details = {}, next, cause }: ErrorExtras = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.next = next;
  }
}

/** What an edge may show: our own errors unchanged, anything else as one fixed sentence. The cause is kept for the log. */
export function asDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (errnoOf(thrown) === "ENOSPC") {
    return new DomainError(
      "disk_full",
      "The disk is full. Free some space and try again; nothing was lost.",
      { cause: thrown },
    );
  }
  return new DomainError(
    "internal",
    "Something went wrong inside contextful. The log on stderr has the cause.",
    { cause: thrown },
  );
}

/** The system error code, such as ENOENT, of something thrown. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown instanceof DomainError || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
