/** Finds the ranks of scores among all scores of a stage. Sorts the scores when first asked. */
export class Ranks {
  #ascending: Float64Array | undefined;

  constructor(private readonly scores: () => Float64Array) {}

  /** Returns the rank of a score, 1 for the best: one more than the number of better scores. */
  of(score: number): number {
    this.#ascending ??= this.scores().sort();
    const ascending = this.#ascending;
    let low = 0;
    let high = ascending.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ascending[middle] as number) <= score) low = middle + 1;
      else high = middle;
    }
    return 1 + ascending.length - low;
  }
}
