/**
 * The parameters of BM25 for texts without Chinese or Japanese characters: `b` is 0.3 and `k1` 0.6
 * up to a mean of 50 terms. Both rise linearly, to 0.75 and 1.2 at 100 terms.
 */
function parametersOf(meanTerms: number): { b: number; k1: number } {
  if (meanTerms <= 50) return { b: 0.3, k1: 0.6 };
  if (meanTerms >= 100) return { b: 0.75, k1: 1.2 };
  return { b: 0.3 + 0.009 * (meanTerms - 50), k1: 0.6 + 0.012 * (meanTerms - 50) };
}

/** Computes the normalised BM25 score of each text, given as its terms. Skips `undefined` texts. */
export function naiveBm25(
  texts: readonly (readonly string[] | undefined)[],
  query: readonly string[],
): number[] {
  const present = texts.filter((terms) => terms !== undefined);
  const meanTerms = present.reduce((sum, terms) => sum + terms.length, 0) / present.length;
  const { b, k1 } = parametersOf(meanTerms);
  const idf = (term: string): number => {
    const holding = present.filter((terms) => terms.includes(term)).length;
    return Math.log(1 + (present.length - holding + 0.5) / (holding + 0.5));
  };
  const best = query.reduce((sum, term) => sum + (k1 + 1) * idf(term), 0);
  return texts.map((terms = []) => {
    let score = 0;
    for (const term of query) {
      const frequency = terms.filter((other) => other === term).length;
      if (frequency > 0)
        score +=
          (idf(term) * frequency * (k1 + 1)) /
          (frequency + k1 * (1 - b + (b * terms.length) / meanTerms));
    }
    return score === 0 ? 0 : score / best;
  });
}

/** A row, perhaps in a thread. The rows of a thread are ordered by time, then by id. */
export interface Turn {
  readonly id: string;
  readonly terms: readonly string[];
  readonly threadId: string | undefined;
  readonly second: number;
}

/**
 * Scores as `naiveBm25`, with the terms that rows of a thread borrow. Each row also has 0.6 of the
 * terms of the row before it, and 0.4 of the terms of the row before that one.
 */
export function naiveThreadBm25(
  turns: readonly (Turn | undefined)[],
  query: readonly string[],
): number[] {
  const present = turns.filter((turn) => turn !== undefined);
  const threadOf = (turn: Turn): Turn[] =>
    turn.threadId === undefined
      ? [turn]
      : present
          .filter(({ threadId }) => threadId === turn.threadId)
          .sort((a, b) => a.second - b.second || (a.id < b.id ? -1 : 1));
  const context = (turn: Turn): readonly (readonly [Turn, number])[] => {
    const thread = threadOf(turn);
    const place = thread.indexOf(turn);
    return [1, 0.6, 0.4].flatMap((weight, back) =>
      thread[place - back] === undefined ? [] : [[thread[place - back] as Turn, weight] as const],
    );
  };
  const count = (turn: Turn, term: string) => turn.terms.filter((other) => other === term).length;
  const lengths = new Map(
    present.map((turn) => [
      turn,
      context(turn).reduce((sum, [{ terms }, weight]) => sum + weight * terms.length, 0),
    ]),
  );
  const mean = [...lengths.values()].reduce((sum, length) => sum + length, 0) / present.length;
  const meanOwn = present.reduce((sum, { terms }) => sum + terms.length, 0) / present.length;
  const { b, k1 } = parametersOf(meanOwn);
  const idf = (holding: number, all: number) =>
    Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
  const termIdf = (term: string) =>
    idf(present.filter(({ terms }) => terms.includes(term)).length, present.length);
  const best = query.reduce((sum, term) => sum + (k1 + 1) * termIdf(term), 0);
  return turns.map((turn) => {
    if (turn === undefined) return 0;
    let score = 0;
    for (const term of query) {
      const frequency = context(turn).reduce(
        (sum, [other, weight]) => sum + weight * count(other, term),
        0,
      );
      if (frequency > 0)
        score +=
          (termIdf(term) * frequency * (k1 + 1)) /
          (frequency + k1 * (1 - b + (b * (lengths.get(turn) ?? 0)) / mean));
    }
    return score === 0 ? 0 : score / best;
  });
}
