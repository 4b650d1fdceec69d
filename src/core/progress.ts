/** One step of long work. `total` is absent while it is not known. */
export interface ProgressStep {
  readonly done: number;
  readonly total?: number;
  /** What is being done, e.g. "files" or "embedding". */
  readonly label: string;
}

/** Receives the progress of long work: shown as a bar, as a line every few seconds, or as MCP notifications. */
export interface Progress {
  report(step: ProgressStep): void;
  /** One line about something that happened, e.g. in a `watch`. */
  note(line: string): void;
}

export const silentProgress: Progress = { report: () => {}, note: () => {} };

interface TerminalStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}
export interface TerminalProgress extends Progress {
  /** Clears the bar. */
  end(): void;
}

const REDRAW_MS = 100;
const LINE_MS = 3000;
const BAR_WIDTH = 24;
const CLEAR = "\r\u001b[2K";

/** At a terminal: a bar with rate and time left, redrawn in place. Otherwise: one line every few seconds. */
export function terminalProgress(
  stream: TerminalStream,
  now: () => number = () => performance.now(),
): TerminalProgress {
  const isTerminal = stream.isTTY === true;
  let shown: number | undefined;
  let began: { readonly label: string; readonly at: number; readonly done: number } | undefined;
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) stream.write(CLEAR);
    isDrawn = false;
  };
  return {
    report(step) {
      const at = now();
      if (began?.label !== step.label) {
        began = { label: step.label, at, done: step.done };
        shown = isTerminal ? undefined : at;
      }
      if (shown !== undefined && at - shown < (isTerminal ? REDRAW_MS : LINE_MS)) return;
      shown = at;
      const line = describe(step, (step.done - began.done) / Math.max(0.001, (at - began.at) / 1000));
      if (!isTerminal) {
        stream.write(`${line}\n`);
        return;
      }
      stream.write(`${CLEAR}${`${bar(step)}${line}`.slice(0, (stream.columns ?? 80) - 1)}`);
      isDrawn = true;
    },
    note(line) {
      clear();
      stream.write(`${line}\n`);
    },
    end: clear,
  };
}

function bar({ done, total }: ProgressStep): string {
  if (total === undefined || total <= 0) return "";
  const filled = Math.round(BAR_WIDTH * Math.min(1, done / total));
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} `;
}

function describe({ done, total, label }: ProgressStep, rate: number): string {
  const parts = [`${label} ${total === undefined ? done : `${done}/${total}`}`];
  if (rate > 0) parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
  if (rate > 0 && total !== undefined && done < total) parts.push(`${duration((total - done) / rate)} left`);
  return parts.join(", ");
}

function duration(exact: number): string {
  const seconds = Math.ceil(exact);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}
