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

const describe = (cause: unknown) =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
