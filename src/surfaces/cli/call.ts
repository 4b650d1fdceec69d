import { askGit } from "../../core/git/git.ts";
import type { CleanedCounts } from "../../core/hygiene/index.ts";
import { escapeControl, stripInvisible } from "../../core/hygiene/invisible.ts";
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
  onCleaned: (counts) => progress.note(describeCleaned(counts)),
  notice: (text) => progress.note(text),
});

function describeCleaned({ invisible, secrets }: CleanedCounts): string {
  const parts = [
    ...(invisible > 0 ? [`${invisible} invisible ${invisible === 1 ? "character" : "characters"}`] : []),
    ...(secrets > 0 ? [`${secrets} ${secrets === 1 ? "secret" : "secrets"}`] : []),
  ];
  return `Removed from this answer: ${parts.join(" and ")}.`;
}

const MAX_NAME = 100;

/** The name that a write records: git's `user.name`, else the local user name. No host: the record is shared. */
export async function writerName(root: string, localName: string): Promise<string> {
  const configured = await askGit(["config", "--get", "user.name"], { cwd: root, network: true }).catch(
    () => undefined,
  );
  const name = stripInvisible((configured ?? "").replaceAll(/\s+/g, " "))
    .text.trim()
    .slice(0, MAX_NAME);
  return name || localName;
}

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
