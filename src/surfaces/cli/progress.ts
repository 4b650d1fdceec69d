import { escapeControl } from "../../core/hygiene/invisible.ts";
import { type TerminalProgress, terminalProgress } from "../../core/progress.ts";
import type { CliContext } from "./cli-context.ts";

/** Progress on stderr: a bar at a terminal, a line every few seconds in a log. Labels and notes may quote data, so they are escaped. */
export function progressOn(context: CliContext): TerminalProgress {
  const bar = terminalProgress({
    isTTY: context.terminalWidth !== undefined,
    columns: context.terminalWidth,
    write: (text) => context.err(text),
  });
  return {
    report: (step) => bar.report({ ...step, label: escapeControl(step.label) }),
    note: (line) => bar.note(escapeControl(line)),
    end: () => bar.end(),
  };
}
