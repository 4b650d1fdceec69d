import { asDomainError, DomainError } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** What an edge shows of a thrown value. The cause of an `internal` error is logged under the id that the caller sees. */
export function edgeError(thrown: unknown, logger: Logger): DomainError {
  const error = asDomainError(thrown);
  if (error.code !== "internal") return error;
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString("hex");
  logger.error(`error ${id}:`, error.cause ?? error);
  return new DomainError("internal", `${error.message} Its error id is ${id}.`, {
    ...(error.reason === undefined ? {} : { reason: error.reason }),
  });
}
