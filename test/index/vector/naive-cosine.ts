/** Computes the cosine by its definition. Returns 0 if either vector is zero. */
export function naiveCosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(squaresA) / Math.sqrt(squaresB);
}

/** Creates a generator of numbers from 0 to 1 (mulberry32). Equal seeds give equal numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
