/** One step of long work. `total` is omitted while it is not known. */
export interface ProgressStep {
  readonly done: number;
  readonly total?: number;
  /** What is being done, e.g. "files" or "embedding". */
  readonly label: string;
}

/** Where long work tells how far it is: a bar on a terminal, a line every few seconds, or MCP notifications. */
export interface Progress {
  report(step: ProgressStep): void;
  /** One line about something that happened, e.g. in a `watch`. */
  note(line: string): void;
}

export const silentProgress: Progress = { report: () => {}, note: () => {} };
