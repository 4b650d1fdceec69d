import type { Found } from "./search-project.ts";

const MAX_ANSWERS = 200;

/** The last answers, by everything that decides them: the index's generation is part of the key, so none outlives it. */
export class RecentAnswers {
  readonly #answers = new Map<string, Found>();

  get(key: string): Found | undefined {
    const known = this.#answers.get(key);
    if (known === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, known);
    return known;
  }

  set(key: string, found: Found): void {
    this.#answers.set(key, found);
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > MAX_ANSWERS && !oldest.done) this.#answers.delete(oldest.value);
  }
}
