/**
 * Scales the scores of threads, so that the lowest becomes 0 and the highest 1. A thread of length
 * 0 (an unused thread number) does not influence the scale, and gets 0. If all other threads have
 * the same score, they get 0 too.
 */
export function stretch(scores: Float64Array, lengths: Float64Array): Float64Array {
  const used = scores.filter((_, number) => (lengths[number] ?? 0) > 0);
  const least = used.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const span = used.reduce((a, b) => Math.max(a, b), 0) - least;
  return scores.map((score, number) =>
    span > 0 && (lengths[number] ?? 0) > 0 ? (score - least) / span : 0,
  );
}
