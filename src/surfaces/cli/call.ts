import { escapeControl } from "../../core/hygiene/invisible.ts";
import { type Progress, type TerminalProgress, terminalProgress } from "../../core/progress.ts";
import type { Call, Tool } from "../../core/tool.ts";
import type { CliContext } from "./cli-context.ts";
import { safeJson } from "./printed.ts";

/** A call by the person who typed the command. */
export const callOf = ({ signal, actor }: CliContext, progress: Progress): Call => ({
  signal,
  progress,
  actor,
  caller: "person",
});

interface CallReader {
  readonly progress: TerminalProgress;
  /** A program reads the output, so nobody can be asked. */
  readonly isJson: boolean;
}

/** A call that prints its events as they happen, and asks if somebody is there to answer. */
export function attendedCall(
  context: CliContext,
  { events }: Tool,
  { progress, isJson }: CallReader,
): Call<unknown> {
  const { ask } = context;
  return {
    ...callOf(context, progress),
    ...(events && {
      emit(event: unknown) {
        if (!isJson) return progress.note(events.show(event));
        progress.end();
        context.out(`${safeJson(event)}\n`);
      },
    }),
    ...(ask &&
      !isJson && {
        async confirm(plan: string, question: string) {
          context.out(`${escapeControl(plan)}\n`);
          const answer = await ask(`${escapeControl(question)} [y/N] `);
          return /^y(?:es)?$/i.test(answer?.trim() ?? "");
        },
      }),
  };
}

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
