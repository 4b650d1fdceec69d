import type { FoundReference } from "../../src/capabilities/code-index/navigation/references.ts";

export const placeOf = ({ file, line, column }: FoundReference) => `${file.path}:${line}:${column}`;

interface ComparedUses {
  readonly key: string;
  readonly found: readonly FoundReference[];
  readonly wanted: ReadonlySet<string>;
  readonly targetAt: ReadonlyMap<string, ReadonlySet<string>>;
}

/** How our references compare with those of a language's own tool. */
export class UseCounts {
  readonly lists = {
    "resolved, but wrong": [] as string[],
    "probable, but wrong": [] as string[],
    "not found": [] as string[],
  };
  sampled = 0;
  truth = 0;
  found = 0;
  foundResolved = 0;
  resolved = 0;
  resolvedRight = 0;
  probable = 0;
  probableRight = 0;

  add({ key, found, wanted, targetAt }: ComparedUses): void {
    this.sampled++;
    const places = new Map(found.map((one) => [placeOf(one), one]));
    for (const [place, reference] of places) this.#judge(place, reference, { key, wanted, targetAt });
    for (const place of wanted) {
      this.truth++;
      const reference = places.get(place);
      if (reference) this.found++;
      else this.lists["not found"].push(`${place} uses ${key}`);
      if (reference?.confidence === "resolved") this.foundResolved++;
    }
  }

  #judge(
    place: string,
    { confidence, kind }: FoundReference,
    { key, wanted, targetAt }: Omit<ComparedUses, "found">,
  ): void {
    if (confidence === "name only" || (confidence === "resolved" && kind === "import")) return;
    const isRight = wanted.has(place);
    this[confidence]++;
    if (isRight) this[`${confidence}Right`]++;
    else {
      const targets = [...(targetAt.get(place) ?? ["something else"])].join(" ");
      this.lists[`${confidence}, but wrong`].push(`${place} is not ${key}, but ${targets}`);
    }
  }
}
