/** The library: open a project and call its tools. Each name here is a promise. */
export { DomainError, type ErrorCode, type NextStep } from "./core/errors.ts";
export type { Logger } from "./core/logger.ts";
export type { ProgressStep } from "./core/progress.ts";
export {
  type CallOptions,
  type Contextful,
  type ContextfulOptions,
  openContextful,
} from "./library/library.ts";
