/** A text as lines, each with its newline. */
export type TextLines = readonly string[];

/** The three sides of a merge. */
export interface Three<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export const mapThree = <T, U>({ base, ours, theirs }: Three<T>, map: (value: T) => U): Three<U> => ({
  base: map(base),
  ours: map(ours),
  theirs: map(theirs),
});
