import type { MemoryEntry } from "../store/entry-files.ts";
import type { StoreView } from "../store/store.ts";
import { choicesIn, conflictOf, type NamedChoices } from "./choices.ts";
import { idOf, parseDecision } from "./decision-file.ts";
import type { ContradictedDecision } from "./schemas.ts";

const REPLACED_NUMBER =
  /\b(?:supersed|replac)(?:e[sd]?|ing)\s+(?:the\s+)?(?:(?:decision|adr)[\s#-]*|#|(?=0\d{3}))(\d{1,9})\b/gi;

/** Accepted decisions that a text seems to go against, by the choices both name. A person or an agent must judge. */
export function findContradictions(text: string, view: StoreView): ContradictedDecision[] {
  const stated = choicesIn(text);
  const past = pastDecisions(view);
  return decisionsIn(view).flatMap(({ id, entry, status, title, choices }) => {
    if (status !== "accepted" || past.has(entry)) return [];
    const about = conflictOf(stated, choices);
    return about === undefined ? [] : [{ id, title, about }];
  });
}

/** Decisions that no longer hold: they say so, or a later accepted one names their number or leaves what they chose. */
export function pastDecisions(view: StoreView): ReadonlySet<MemoryEntry> {
  const decisions = decisionsIn(view);
  const accepted = decisions.filter(({ status }) => status === "accepted");
  const isReplaced = (id: number, { chosen }: NamedChoices) =>
    accepted.some(
      (later) =>
        later.id > id && (later.replaced.has(id) || [...later.choices.left].some((name) => chosen.has(name))),
    );
  return new Set(
    decisions
      .filter(
        ({ id, status, choices }) => /^(deprecated|superseded)$/.test(status) || isReplaced(id, choices),
      )
      .map(({ entry }) => entry),
  );
}

function decisionsIn(view: StoreView) {
  return view.all("decision").flatMap((entry) => {
    const id = idOf(entry.key);
    if (id === undefined) return [];
    const { title, status, context, decision } = parseDecision(entry.text);
    const stated = `${title}.\n${decision}`;
    const replaced = [...`${stated}\n${context}`.matchAll(REPLACED_NUMBER)].map(([, number]) =>
      Number(number),
    );
    return [{ id, entry, status, title, choices: choicesIn(stated), replaced: new Set(replaced) }];
  });
}
