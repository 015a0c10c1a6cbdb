import { lengthWeight } from "../../../src/index/keyword/bm25.js";

/** Computes the normalised BM25 score of each text, given as its terms. Skips `undefined` texts. */
export function naiveBm25(
  texts: readonly (readonly string[] | undefined)[],
  query: readonly string[],
): number[] {
  const present = texts.filter((terms) => terms !== undefined);
  const meanTerms = present.reduce((sum, terms) => sum + terms.length, 0) / present.length;
  const b = lengthWeight(meanTerms);
  const idf = (term: string): number => {
    const holding = present.filter((terms) => terms.includes(term)).length;
    return Math.log(1 + (present.length - holding + 0.5) / (holding + 0.5));
  };
  const best = query.reduce((sum, term) => sum + 2.2 * idf(term), 0);
  return texts.map((terms = []) => {
    let score = 0;
    for (const term of query) {
      const frequency = terms.filter((other) => other === term).length;
      if (frequency > 0)
        score +=
          (idf(term) * frequency * 2.2) /
          (frequency + 1.2 * (1 - b + (b * terms.length) / meanTerms));
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
 * terms of the row before it, and 0.3 of the terms of the row before that one. Also returns the
 * BM25 score of each row's whole thread, scaled to 0 to 1.
 */
export function naiveThreadBm25(
  turns: readonly (Turn | undefined)[],
  query: readonly string[],
): { rows: number[]; threads: number[] } {
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
    return [1, 0.6, 0.3].flatMap((weight, back) =>
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
  const b = lengthWeight(
    present.reduce((sum, { terms }) => sum + terms.length, 0) / present.length,
  );
  const idf = (holding: number, all: number) =>
    Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
  const termIdf = (term: string) =>
    idf(present.filter(({ terms }) => terms.includes(term)).length, present.length);
  const best = query.reduce((sum, term) => sum + 2.2 * termIdf(term), 0);
  const rows = turns.map((turn) => {
    if (turn === undefined) return 0;
    let score = 0;
    for (const term of query) {
      const frequency = context(turn).reduce(
        (sum, [other, weight]) => sum + weight * count(other, term),
        0,
      );
      if (frequency > 0)
        score +=
          (termIdf(term) * frequency * 2.2) /
          (frequency + 1.2 * (1 - b + (b * (lengths.get(turn) ?? 0)) / mean));
    }
    return score === 0 ? 0 : score / best;
  });
  return { rows, threads: threadScores() };

  function threadScores(): number[] {
    const ids = [...new Set(present.flatMap(({ threadId }) => threadId ?? []))];
    // A thread without any term has no length, so it gets no score.
    const whole = new Map(
      ids
        .map(
          (id) =>
            [
              id,
              present.filter(({ threadId }) => threadId === id).flatMap(({ terms }) => terms),
            ] as const,
        )
        .filter(([, terms]) => terms.length > 0),
    );
    const meanLength =
      [...whole.values()].reduce((sum, terms) => sum + terms.length, 0) / whole.size;
    const scores = new Map(
      [...whole].map(([id, terms]) => {
        let score = 0;
        for (const term of query) {
          const frequency = terms.filter((other) => other === term).length;
          const holding = [...whole.values()].filter((other) => other.includes(term)).length;
          if (frequency > 0)
            score +=
              (idf(holding, whole.size) * frequency * 2.2) /
              (frequency + 1.2 * (0.25 + (0.75 * terms.length) / meanLength));
        }
        return [id, score];
      }),
    );
    const least = Math.min(...scores.values());
    const span = Math.max(...scores.values()) - least;
    return turns.map((turn) => {
      const score = turn?.threadId === undefined ? undefined : scores.get(turn.threadId);
      return score === undefined || span === 0 ? 0 : (score - least) / span;
    });
  }
}
