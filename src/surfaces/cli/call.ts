import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { Progress, TerminalProgress } from "../../core/progress.ts";
import type { Call, Tool } from "../../core/tool.ts";
import { safeJson } from "./printed.ts";
import type { World } from "./world.ts";

/** A call by the person who typed the command. */
export const callOf = ({ signal, actor }: World, progress: Progress): Call => ({
  signal,
  progress,
  actor,
  caller: "person",
});

interface Reader {
  readonly progress: TerminalProgress;
  /** A program reads along, and nobody can be asked. */
  readonly isJson: boolean;
}

/** A call whose events are printed as they happen, and that asks where somebody is there to answer. */
export function attendedCall(world: World, { events }: Tool, { progress, isJson }: Reader): Call<unknown> {
  const { ask } = world;
  return {
    ...callOf(world, progress),
    ...(events && {
      emit(event: unknown) {
        if (!isJson) return progress.note(events.show(event));
        progress.end();
        world.out(`${safeJson(event)}\n`);
      },
    }),
    ...(ask &&
      !isJson && {
        async confirm(plan: string, question: string) {
          world.out(`${escapeControl(plan)}\n`);
          const answer = await ask(`${escapeControl(question)} [y/N] `);
          return /^y(?:es)?$/i.test(answer?.trim() ?? "");
        },
      }),
  };
}
