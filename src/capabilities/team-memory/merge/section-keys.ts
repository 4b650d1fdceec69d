import { type Alike, pairAlike } from "./pair-alike.ts";
import type { Section } from "./sections.ts";
import { mapThree, type Three } from "./three.ts";

/** The sections of one version by the key that the same section has in the others, in the order they stand. */
export type KeyedSections = ReadonlyMap<string, Section>;

/**
 * Tells which sections of three versions are the same one: those of one heading, and where a heading is repeated,
 * those whose text says so. A count would not do: with the first of two `## Notes` deleted, the second is the first.
 */
export function keySections(versions: Three<readonly Section[]>): Three<KeyedSections> {
  const groups = mapThree(versions, groupByHeading);
  const keys = new Map<Section, string>();
  const names = new Set(Object.values(groups).flatMap((group) => [...group.keys()]));
  for (const name of names) {
    nameGroup(
      name,
      mapThree(groups, (group) => group.get(name) ?? []),
      keys,
    );
  }
  return mapThree(versions, (sections) => new Map(sections.map((one) => [keys.get(one) ?? "", one])));
}

function nameGroup(name: string, group: Three<readonly Section[]>, keys: Map<Section, string>): void {
  for (const [index, section] of group.base.entries()) keys.set(section, `${name}\0${index}`);
  const base = group.base.map(asAlike);
  const added = [group.ours, group.theirs].map((side) => {
    const pairs = pairAlike(base, side.map(asAlike));
    return side.filter((section, index) => {
      const before = group.base[pairs.get(index) ?? -1];
      if (before !== undefined) keys.set(section, keys.get(before) ?? "");
      return before === undefined;
    });
  });
  // One of a new name on each side is one thing made twice. Of a name that is repeated, only equal texts are.
  const isOneThing = group.base.length === 0 && added.every(({ length }) => length === 1);
  for (const side of added) {
    const seen = new Map<string, number>();
    for (const section of side) {
      const count = (seen.get(section.text) ?? 0) + 1;
      seen.set(section.text, count);
      keys.set(section, `${name}\0new${isOneThing ? "" : `\0${section.text}\0${count}`}`);
    }
  }
}

function groupByHeading(sections: readonly Section[]): Map<string, Section[]> {
  const groups = new Map<string, Section[]>();
  for (const section of sections) {
    const name = section.heading.toLowerCase();
    groups.set(name, [...(groups.get(name) ?? []), section]);
  }
  return groups;
}

/** Below the heading, which all of a group share. */
const asAlike = ({ text }: Section): Alike => ({ text, lines: new Set(text.split("\n").slice(1)) });
