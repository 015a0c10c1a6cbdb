/** Rows that are asked about to find what share of all is accepted. */
const sampleSize = 200;
/** The golden ratio's fraction: its multiples, modulo 1, spread evenly, and in step with nothing. */
const goldenStep = 0.618033988749895;

/** So many times what is wanted is looked for: some of what a graph finds may be gone by then. */
const spare = 1.1;
/** So far a graph is always walked: it takes a few milliseconds, in another thread. */
const reachAlways = 1_000;
/** Walking a graph to this share of its vectors costs as much as comparing all. */
const reachShare = 1 / 64;

/** Rows, some of which may be empty. */
interface Rows {
  readonly rowLimit: number;
  /** Whether a row holds a memory. */
  holds(row: number): boolean;
}

/** A share of memories that surely (97.5 %) not fewer of all are accepted than, found by asking some, the same ones each time. 0: as good as none. */
export function acceptedShare(rows: Rows, accepts: (row: number) => boolean): number {
  let asked = 0;
  let accepted = 0;
  for (let i = 0; i < sampleSize; i++) {
    const row = Math.floor(((i * goldenStep) % 1) * rows.rowLimit);
    if (!rows.holds(row)) continue;
    asked += 1;
    if (accepts(row)) accepted += 1;
  }
  if (asked === 0) return 0;
  const share = accepted / asked;
  return Math.max(0, share - 2 * Math.sqrt((share * (1 - share)) / asked));
}

/** How many of the nearest of `there` vectors to look for, to have `count` that are accepted among them; `undefined` if comparing all vectors costs less. */
export function reachFor(count: number, share: number, there: number): number | undefined {
  const reach = Math.min(there, Math.ceil((count * spare) / share));
  return reach > Math.max(reachAlways, there * reachShare) ? undefined : reach;
}
