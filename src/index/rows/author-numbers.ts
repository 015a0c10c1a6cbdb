import type { Memory } from "../../core/model/memory.js";

/** The authors of rows, each with the number that stands for it and the number of its rows. */
export class AuthorNumbers {
  #authors = new Map<string, { readonly number: number; count: number }>();
  #last = 0;

  get names(): Iterable<string> {
    return this.#authors.keys();
  }

  /** The number of an author, above 0; `undefined` if no row has this author. */
  numberOf(author: string): number | undefined {
    return this.#authors.get(author)?.number;
  }

  /** Counts one more row of an author. Returns the number of the author; 0 without an author. */
  count({ author }: Memory): number {
    if (author === undefined) return 0;
    const known = this.#authors.get(author);
    if (known === undefined) {
      this.#last += 1;
      this.#authors.set(author, { number: this.#last, count: 1 });
      return this.#last;
    }
    known.count += 1;
    return known.number;
  }

  /** Counts one row less of an author. */
  forget({ author }: Memory): void {
    const known = author === undefined ? undefined : this.#authors.get(author);
    if (author === undefined || known === undefined) return;
    known.count -= 1;
    if (known.count === 0) this.#authors.delete(author);
  }

  /** Returns the authors as JSON values, for `restore`. */
  values(): unknown {
    return [this.#last, [...this.#authors]];
  }

  restore(values: unknown): void {
    const [last, authors] = values as [number, [string, { number: number; count: number }][]];
    this.#last = last;
    this.#authors = new Map(authors);
  }
}
