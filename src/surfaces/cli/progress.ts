import { escapeControl } from "../../core/hygiene/invisible.ts";
import { type TerminalProgress, terminalProgress } from "../../core/progress.ts";
import type { World } from "./world.ts";

/** Progress on stderr: a bar for a person at a terminal, a line now and then for a log. Notes may quote data. */
export function progressOn(world: World): TerminalProgress {
  const bar = terminalProgress({
    isTTY: world.terminalWidth !== undefined,
    columns: world.terminalWidth,
    write: (text) => world.err(text),
  });
  return {
    report: (step) => bar.report({ ...step, label: escapeControl(step.label) }),
    note: (line) => bar.note(escapeControl(line)),
    end: () => bar.end(),
  };
}
