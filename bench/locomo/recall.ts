/** The answer of a system to one question. */
export interface Answer {
  /** The ids of all turns that it found, best first. */
  readonly ranking: readonly string[];
  /** The ids of the turns that it packed into each token budget. */
  readonly packed: Readonly<Record<TokenBudget, ReadonlySet<string>>>;
}

/** The token budgets in which recall is measured. */
export type TokenBudget = 500 | 1000 | 2000;

/** The figures of one question, or their means over many. Each is 0 to 1. */
export interface Figures {
  /** The share of the evidence among the first 5, 10 and 20 hits. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  /** 1 if any evidence is among the first 10 hits; otherwise 0. */
  readonly hitAt10: number;
  /** 1 / the rank of the first evidence turn; 0 when there is none. */
  readonly reciprocalRank: number;
  /** The share of the evidence in 500, 1,000 and 2,000 packed tokens. */
  readonly within500: number;
  readonly within1000: number;
  readonly within2000: number;
}

/** Measures how much of the evidence an answer holds, and how early. */
export function figuresOf({ ranking, packed }: Answer, evidence: readonly string[]): Figures {
  const ranks = ranksOf(ranking, evidence);
  const shareOf = (isFound: (index: number) => boolean) =>
    evidence.filter((_, index) => isFound(index)).length / evidence.length;
  const recallAt = (count: number) =>
    shareOf((index) => (ranks[index] ?? Number.POSITIVE_INFINITY) <= count);
  const within = (budget: TokenBudget) =>
    shareOf((index) => packed[budget].has(evidence[index] ?? ""));
  return {
    recallAt5: recallAt(5),
    recallAt10: recallAt(10),
    recallAt20: recallAt(20),
    hitAt10: recallAt(10) > 0 ? 1 : 0,
    reciprocalRank: 1 / Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY)),
    within500: within(500),
    within1000: within(1000),
    within2000: within(2000),
  };
}

/** Returns the rank of each id in a ranking, from 1; `null` for a missing id. */
export function ranksOf(
  ranking: readonly string[],
  ids: readonly string[],
): readonly (number | null)[] {
  return ids.map((id) => {
    const index = ranking.indexOf(id);
    return index < 0 ? null : index + 1;
  });
}

/** Returns the mean of each figure. */
export function meanOf(all: readonly Figures[]): Figures {
  const mean = (figure: keyof Figures) =>
    all.reduce((sum, figures) => sum + figures[figure], 0) / all.length;
  return {
    recallAt5: mean("recallAt5"),
    recallAt10: mean("recallAt10"),
    recallAt20: mean("recallAt20"),
    hitAt10: mean("hitAt10"),
    reciprocalRank: mean("reciprocalRank"),
    within500: mean("within500"),
    within1000: mean("within1000"),
    within2000: mean("within2000"),
  };
}
