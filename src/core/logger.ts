export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  /** `cause` goes to the log only; callers never see it. */
  error(message: string, cause?: unknown): void;
}

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Logs to stderr: stdout belongs to the protocol. A log that cannot be written is dropped, never fatal. */
export function stderrLogger(write: (line: string) => void = (line) => process.stderr.write(line)): Logger {
  const log = (level: string, message: string) => {
    try {
      write(`contextful ${level}: ${message}\n`);
    } catch {
      // A full disk or a closed terminal must not stop the work that is being logged.
    }
  };
  return {
    info: (message) => log("info", message),
    warn: (message) => log("warning", message),
    error: (message, cause) => log("error", cause === undefined ? message : `${message} ${describe(cause)}`),
  };
}

/** One JSON object for each line, for programs that collect logs. */
export function jsonLogger(write: (line: string) => void = (line) => process.stderr.write(line)) {
  const log = (entry: Readonly<Record<string, unknown>>) => {
    try {
      write(`${JSON.stringify({ time: new Date().toISOString(), level: "info", ...entry })}\n`);
    } catch {
      // As above.
    }
  };
  const logger: Logger = {
    info: (message) => log({ message }),
    warn: (message) => log({ level: "warning", message }),
    error: (message, cause) =>
      log({ level: "error", message, ...(cause !== undefined && { cause: describe(cause) }) }),
  };
  return { logger, log };
}

const describe = (cause: unknown) =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
