import type { Candidates, NamespaceIndex, Row } from "../../ports/search-index.js";
import type { RankInput } from "../query/rank-input.js";

/**
 * Returns what each thread adds to the scores of its rows, by thread number. The addition is a
 * weighted sum of the best fused score and the best vector score of the thread. Only candidates
 * count, so with a graph the best row of a thread may be missing.
 *
 * Returns `undefined` if no thread adds anything.
 *
 * @param share See `TurnScores`.
 */
export function scoreThreads(
  index: NamespaceIndex,
  {
    count,
    rows,
    vector,
    fused,
  }: Pick<Candidates, "count" | "rows" | "vector"> & { readonly fused: Float64Array },
  { threadBest, threadVector }: RankInput["signals"],
  share: number,
): Float64Array | undefined {
  if (!index.hasThreads || share === 0) return undefined;
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
  for (let thread = 0; thread < threadCount; thread++) {
    best[thread] =
      share *
      (threadBest * (best[thread] as number) + threadVector * (bestVectors[thread] as number));
  }
  return best;
}
