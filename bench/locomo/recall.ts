/** What a system returned for one question. */
export interface Answer {
  /** Ids of turns, best first, of everything that it found. */
  readonly ranking: readonly string[];
  /** Ids of turns that it packed into so many tokens. */
  readonly packed: Readonly<Record<TokenBudget, ReadonlySet<string>>>;
}

/** Tokens that a search may fill, where evidence recall is measured within a budget. */
export type TokenBudget = 500 | 1000 | 2000;

/** The figures of one question, or their means over many. Each is 0 to 1. */
export interface Figures {
  /** Share of the evidence among the first 5, 10 and 20. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  /** 1 / the place of the first turn that is evidence; 0 if there is none. */
  readonly reciprocalRank: number;
  /** Share of the evidence in what was packed into 500, 1,000 and 2,000 tokens. */
  readonly within500: number;
  readonly within1000: number;
  readonly within2000: number;
}

/** How much of the evidence an answer holds, and how early. */
export function figuresOf({ ranking, packed }: Answer, evidence: readonly string[]): Figures {
  const places = placesOf(ranking, evidence);
  const shareOf = (isThere: (index: number) => boolean) =>
    evidence.filter((_, index) => isThere(index)).length / evidence.length;
  const recallAt = (count: number) =>
    shareOf((index) => (places[index] ?? Number.POSITIVE_INFINITY) <= count);
  const within = (budget: TokenBudget) =>
    shareOf((index) => packed[budget].has(evidence[index] ?? ""));
  return {
    recallAt5: recallAt(5),
    recallAt10: recallAt(10),
    recallAt20: recallAt(20),
    reciprocalRank: 1 / Math.min(...places.map((place) => place ?? Number.POSITIVE_INFINITY)),
    within500: within(500),
    within1000: within(1000),
    within2000: within(2000),
  };
}

/** The place of each id in a ranking, 1 for the best; `null` for one that is not there. */
export function placesOf(
  ranking: readonly string[],
  ids: readonly string[],
): readonly (number | null)[] {
  return ids.map((id) => {
    const index = ranking.indexOf(id);
    return index < 0 ? null : index + 1;
  });
}

/** The mean of each figure. */
export function meanOf(all: readonly Figures[]): Figures {
  const mean = (figure: keyof Figures) =>
    all.reduce((sum, figures) => sum + figures[figure], 0) / all.length;
  return {
    recallAt5: mean("recallAt5"),
    recallAt10: mean("recallAt10"),
    recallAt20: mean("recallAt20"),
    reciprocalRank: mean("reciprocalRank"),
    within500: mean("within500"),
    within1000: mean("within1000"),
    within2000: mean("within2000"),
  };
}
