import type { EntryKind } from "../store/layout.ts";
import { decisionsOf } from "./decisions.ts";
import { aboutEntry, type MemoryProject } from "./project.ts";
import type { EntryAbout } from "./schemas.ts";
import { readSkillHead } from "./skill-file.ts";
import { everyEntry } from "./text-entries.ts";

/** An entry that the team shares, for other parts of the program. */
export interface PublicEntry extends EntryAbout {
  readonly kind: EntryKind;
  readonly key: string;
  /** Relative to the project. */
  readonly file: string;
  /** A decision's title, a skill's description, else the first heading or the key. */
  readonly title: string;
  readonly text: string;
  /** The name inside the skill's file differs from its folder: it must not be exported under that name. */
  readonly mismatch?: true;
}

/** Public entries, sorted by kind and key; empty if there is no store. */
export async function publicEntries(project: MemoryProject): Promise<PublicEntry[]> {
  const view = await project.store.view();
  const titles = new Map(decisionsOf(view).map(({ entry, text }) => [entry.path, text.title]));
  const entries: PublicEntry[] = [];
  for (const entry of everyEntry(view)) {
    if (view.scopes.of(entry.path) !== "public") continue;
    const head = entry.kind === "skill" ? await readSkillHead(entry.text) : undefined;
    const isOther = head?.name !== undefined && head.name !== entry.key;
    entries.push({
      kind: entry.kind,
      key: entry.key,
      file: `.context-teleport/${entry.path}`,
      title: titles.get(entry.path) ?? head?.description ?? headingOf(entry.text) ?? entry.key,
      text: entry.text,
      ...(isOther && { mismatch: true as const }),
      ...(await aboutEntry(project, view, entry)),
    });
  }
  return entries;
}

const headingOf = (text: string): string | undefined => /^#+ +(.+)$/m.exec(text)?.[1]?.trim();
