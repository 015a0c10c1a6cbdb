import type { Language } from "../../core/text/stop-words.js";

/** The numbers of rows by the language of their text. */
export class LanguageCounts {
  #counts = new Map<Language, number>();
  /** See `order`. `undefined` after a change. */
  #order: readonly Language[] | undefined;

  /** The languages, the most frequent first. Returns the same array until the languages change. */
  get order(): readonly Language[] {
    this.#order ??= [...this.#counts]
      .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([language]) => language);
    return this.#order;
  }

  /** Adds to the number of rows of a language. */
  add(language: Language | undefined, change: number): void {
    if (language === undefined) return;
    this.#order = undefined;
    const count = (this.#counts.get(language) ?? 0) + change;
    if (count > 0) this.#counts.set(language, count);
    else this.#counts.delete(language);
  }

  /** Returns the numbers as JSON values, for `restore`. */
  values(): unknown {
    return [...this.#counts];
  }

  restore(values: unknown): void {
    this.#counts = new Map(values as [Language, number][]);
    this.#order = undefined;
  }
}
