import type { Candidates, NamespaceIndex, Row } from "../ports/search-index.js";
import type { RankInput } from "./rank-input.js";

/** What a thread adds to the scores of its rows. */
export interface ThreadScores {
  /** The score of the best row of each thread, by thread number. */
  readonly best: Float64Array;
  /** The greatest entry of `best`; 0 without threads. */
  readonly bestMax: number;
}

const noThreads: ThreadScores = { best: new Float64Array(0), bestMax: 0 };

/**
 * Weighs the best fused score and the best vector score of each thread. Only candidates count, so
 * with a graph the best row of a thread may be missing.
 *
 * @param share See `TurnScores.share`.
 */
export function scoreThreads(
  index: NamespaceIndex,
  { count, rows, vector, fused }: Candidates & { readonly fused: Float64Array },
  { threadBest, threadVector }: RankInput["signals"],
  share: number,
): ThreadScores {
  if (!index.hasThreads || share === 0) return noThreads;
  const { threadNumbers, threadCount } = index;
  const best = new Float64Array(threadCount);
  const bestVectors = new Float64Array(threadCount);
  for (let position = 0; position < count; position++) {
    const thread = threadNumbers[rows[position] as Row] as number;
    if (thread < 0) continue;
    const score = fused[position] as number;
    const cosine = vector[position] as number;
    if (score > (best[thread] as number)) best[thread] = score;
    if (cosine > (bestVectors[thread] as number)) bestVectors[thread] = cosine;
  }
  let bestMax = 0;
  for (let thread = 0; thread < threadCount; thread++) {
    const score =
      share *
      (threadBest * (best[thread] as number) + threadVector * (bestVectors[thread] as number));
    best[thread] = score;
    bestMax = Math.max(bestMax, score);
  }
  return { best, bestMax };
}
