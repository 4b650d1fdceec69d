import { nextAfter, takenIds } from "../entries/decisions.ts";
import type { View } from "../store/store.ts";

/** The decisions that are here when an import begins, and the ids that it gives. */
export function knownDecisions(view: View) {
  const bodies = new Set(view.all("decision").map(({ text }) => withoutHeading(text)));
  const taken = takenIds(view);
  let next = nextAfter(taken);
  return {
    /** Under any id: the heading carries it. */
    isHere: (text: string): boolean => bodies.has(withoutHeading(text)),
    isFree: (id: number): boolean => !taken.has(id),
    next: (): number => next,
    take(id: number | undefined) {
      if (id === undefined) return;
      taken.add(id);
      next = Math.max(next, id + 1);
    },
  };
}
export type KnownDecisions = ReturnType<typeof knownDecisions>;

const withoutHeading = (text: string) => text.replace(/^# .*$/m, "");
